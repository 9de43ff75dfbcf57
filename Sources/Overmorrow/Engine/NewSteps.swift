/// Steps that are registered together, as long as only their maker has them.
@usableFromInline
struct NewSteps {
  private(set) var cores = StepCores()
  /// Of those that have one.
  private(set) var handles: [PromiseHandle] = []
  /// How many more there will be.
  private var expected: Int

  /// - Parameter number: How many steps there will be.
  @usableFromInline
  init(reserving number: Int) { expected = number }

  /// Makes a step of a combinator, which takes part in cancellation, and registers it. The caller has the handle of the source.
  @inlinable
  mutating func register<S: Step>(_ step: S.Type, on source: CoreRef, _ callback: S.Callback) {
    typealias Operations = StepOperations<S>
    if source.needsHandle(forStepWith: S.traits) {
      let handle = PromiseHandle.makeStep(
        words: Operations.words, traits: Operations.traits, on: .immediate, gate: nil,
        operations: { Operations.perform($0, $1, $2) })
      handle.core.write(callback)
      handle.register(on: source)
      append(handle)
    } else {
      let core = makeReporting(
        words: Operations.words, traits: Operations.traits, operations: { Operations.perform($0, $1, $2) })
      core.write(callback)
      core.report(on: source)
    }
  }

  /// Makes a step without a handle, counted for its list. The caller writes the callback into the payload, then registers it.
  @usableFromInline
  @inline(never)
  mutating func makeReporting(
    words: Int, traits: Traits, operations: consuming @escaping Operations
  ) -> CoreRef {
    defer { expected -= 1 }
    // What follows one that is in no row is in none, either, so that all stay in order.
    if !cores.others.isEmpty {
      let core = CoreRef.makeReporting(
        words: words, traits: traits, on: .immediate, isKept: true, operations: operations)
      cores.others.append(core)
      return core
    }
    let core = cores.nextInRow(expecting: expected, words: words)
    core.becomeReporting(traits, on: .immediate, isKept: true, isInRow: true, operations: operations)
    return core
  }

  /// Takes a step that has a handle.
  @usableFromInline
  mutating func append(_ handle: PromiseHandle) {
    expected -= 1
    handle.core.retain()
    cores.others.append(handle.core)
    handles.append(handle)
  }

  /// Has a core come before all of them. Nobody has seen that core who could wait for it.
  func follow(_ core: CoreRef) { cores.visit { core.takeRank(beforeStep: $0) } }
}

/// The cores of steps that are registered together, in their order.
struct StepCores {
  /// Those that come first, row by row.
  private var earlierRows: [StepRow] = []
  private var row: StepRow?
  fileprivate var others: [CoreRef] = []

  /// Calls a function with each, in order.
  @inline(__always)
  func visit(_ body: (CoreRef) -> Void) {
    for row in earlierRows { for core in row.cores { body(core) } }
    if let row { for core in row.cores { body(core) } }
    for core in others { body(core) }
  }

  /// Whether one of them may still run.
  var isWaiting: Bool {
    earlierRows.contains { $0.cores.contains(where: \.isWaiting) } || row?.cores.contains(where: \.isWaiting) == true
      || others.contains(where: \.isWaiting)
  }

  /// Memory for the next step, in a row.
  ///
  /// - Parameter number: How many are to come, with this one.
  @inline(__always)
  fileprivate mutating func nextInRow(expecting number: Int, words: Int) -> CoreRef {
    if let core = row?.next(words: words) { return core }
    if let row { earlierRows.append(row) }
    var new = StepRow(for: number, words: words)
    defer { row = new }
    guard let core = new.next(words: words) else { preconditionFailure("a row of steps has no room for one") }
    return core
  }

  /// Lets go of the rows' memory, when the counts on the cores have been given back.
  func end() {
    for row in earlierRows { row.end() }
    row?.end()
  }
}
