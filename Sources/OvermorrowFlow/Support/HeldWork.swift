internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// Work that makes a promise and is held back until it is started. If the promise is asked to cancel before the work
/// runs, the work never runs.
///
/// The object retains the resolver of the promise that stands for the work. If the last reference to the object is
/// released before the work has run, for instance by an executor, that promise is cancelled.
final class HeldWork<Value: Sendable, Failure: Sendable>: Sendable {
  typealias Resolver = Promise<Value, Failure>.Resolver
  typealias Work = @Sendable (Resolver) -> Promise<Value, Failure>

  private let context: PromiseContext
  let resolver: Resolver
  private let work: TakeOnce<Work>

  private init(on context: PromiseContext, _ resolver: Resolver, _ work: TakeOnce<Work>) {
    self.context = context
    self.resolver = resolver
    self.work = work
  }

  /// Creates held work and the promise that stands for the work. That promise adopts the promise that the work makes.
  static func make(
    on context: PromiseContext, at site: CallSite, by kind: ProducerKind = .resolver,
    _ work: @escaping Work
  ) -> (Promise<Value, Failure>, HeldWork) {
    typealias Made = Promise<Value, Failure>
    let (promise, resolver) = kind == .load ? Made.makeForLoad(at: site) : Made.makeForLibrary(at: site, by: kind)
    // The handler shares the work with `start` and `cancel`, and whichever of the three takes the work first decides
    // whether the work runs. The handler must not retain the resolver.
    let work = TakeOnce(work)
    resolver.onRequestCancel(on: .immediate) { resolver in
      if work.take() != nil { resolver.cancel() }
    }
    return (promise, HeldWork(on: context, resolver, work))
  }

  /// Runs the work on its context. If the context is `.immediate` or `.nowOr`, the work runs inside this call. A second
  /// call does nothing.
  func start() { context.perform { self.run() } }

  /// Runs the work on its context when none of the pauses is suspended. If no pause is suspended now and the context is
  /// `.immediate` or `.nowOr`, the work runs inside this call. The work waits in the line of only one pause at a time.
  func start(under pauses: [PauseLine]) {
    if let blocked = pauses.first(where: \.isBlocked) {
      return blocked.enter(on: .immediate) { self.start(under: pauses) }
    }
    if pauses.isEmpty { return start() }
    context.perform { pauses.contains(where: \.isBlocked) ? self.start(under: pauses) : self.run() }
  }

  private func run() {
    guard let work = work.take() else { return }
    let endCallback = UntypedPromise.isWatching ? UntypedResolver(resolver).beginCallback() : nil
    let promise = work(resolver)
    endCallback?()
    resolver.resolve(with: promise)
  }

  /// Calls a closure when none of the pauses is suspended. If no pause is suspended now, calls the closure inside this
  /// call. If a pause is suspended now, the closure is called later, on the context.
  static func whenUnblocked(
    _ pauses: [PauseLine], on context: PromiseContext, _ body: @escaping @Sendable () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    guard pauses.contains(where: \.isBlocked) else { return body() }
    let (promise, work) = make(on: context.later, at: .library) { _ in body() }
    work.start(under: pauses)
    return promise
  }

  /// Cancels the promise if the work has not begun.
  func cancel() {
    if work.take() != nil { resolver.cancel() }
  }
}
