/// Steps that are registered together, before they are shared.
@usableFromInline
struct NewSteps: ~Copyable {
  private(set) var cores = OwnedCores()

  /// - Parameter number: The number of steps to expect.
  @usableFromInline
  init(reserving number: Int) { cores.reserve(number) }

  /// Makes a step of a combinator, and registers the step on `source`. The step takes part in cancellation. The caller
  /// has the handle of `source`.
  @inlinable
  mutating func register<S: Step>(_ step: S.Type, on source: CoreRef, _ callback: S.Callback) {
    typealias Operations = StepOperations<S>
    let core = CoreRef.makeReporting(
      words: Operations.words, traits: Operations.traits, on: .immediate, isKept: true,
      operations: { Operations.perform($0, $1, $2) })
    core.write(callback)
    add(core, waitingFor: source)
  }

  @usableFromInline
  mutating func add(_ core: CoreRef, waitingFor source: CoreRef) {
    cores.keep(Owned(adopting: core))
    core.register(on: source)
  }
}
