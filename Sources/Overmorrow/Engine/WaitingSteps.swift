/// The steps through which a combinator waits for its inputs; each has a vote on one of them.
///
/// A step's callback may lead back here: the circle is broken by the step that runs, or by ``end()``.
@usableFromInline
final class WaitingSteps: Sendable {
  private struct State {
    var lists: [StepList] = []
    /// The list is swept when it has grown to this, so that it costs a constant per step, and what is spent takes at
    /// most as much room as what is not.
    var sweepAt = 16
    var isAsked = false
    var isEnded = false
  }

  private let state = Guarded(State())
  /// Whether the steps have no effect but on the promise that waits through them, and so may end when nobody sees that.
  let mayEndUnseen: Bool

  @usableFromInline
  init(mayEndUnseen: Bool = false) { self.mayEndUnseen = mayEndUnseen }

  /// Takes steps that have just been registered.
  ///
  /// They are asked to cancel if the others have been, and abandoned if the others have been.
  @usableFromInline
  func add(_ steps: NewSteps) {
    let new = StepList(steps)
    let (swept, isAsked, isEnded) = state.withLock { state -> ([StepList], Bool, Bool) in
      if state.isEnded { return ([], state.isAsked, true) }
      var swept: [StepList] = []
      if state.lists.count >= state.sweepAt {
        swept = state.lists
        state.lists.removeAll { !$0.isWaiting }
        state.sweepAt = max(16, 2 * state.lists.count)
      }
      state.lists.append(new)
      return (swept, state.isAsked, false)
    }
    if isAsked { new.requestCancel() }
    if isEnded { new.abandonWaiting() }
    withExtendedLifetime(swept) {}
  }

  /// Takes one more step, which may have run already.
  @usableFromInline
  func add(_ handle: PromiseHandle) {
    guard handle.core.isWaiting else { return }
    var steps = NewSteps(reserving: 1)
    steps.append(handle)
    add(steps)
  }

  /// Asks the steps to cancel: each takes its vote back.
  func requestCancel() {
    let lists = state.withLock { state in
      state.isAsked = true
      return state.lists
    }
    for list in lists { list.requestCancel() }
  }

  /// Nobody needs the inputs any more: drops the votes on those that go on, and what the steps keep. That does not count
  /// as having asked to cancel, unless that has been asked for.
  func end() {
    let (lists, isAsked) = state.withLock { state in
      defer { state.lists = [] }
      state.isEnded = true
      return (state.lists, state.isAsked)
    }
    // Called by one that has cancelled when it was asked, while the others are still to be asked.
    if isAsked { for list in lists { list.requestCancel() } }
    for list in lists { list.abandonWaiting() }
  }

  /// An object that ends the steps when it goes.
  var atEnd: some Sendable { AtEnd(self) }

  private final class AtEnd: Sendable {
    private let steps: WaitingSteps

    init(_ steps: WaitingSteps) { self.steps = steps }

    deinit { steps.end() }
  }

  /// The steps' cores, each counted for the caller.
  func retainCores() -> [CoreRef] {
    // Under the lock the list is only kept: it may be long.
    let lists = state.withLock { $0.lists }
    var cores: [CoreRef] = []
    for list in lists {
      list.cores.visit { core in
        core.retain()
        cores.append(core)
      }
    }
    return cores
  }
}

/// Steps that are registered together, as long as only their maker has them.
@usableFromInline
struct NewSteps {
  private(set) var cores = StepCores()
  /// Of those that have one.
  fileprivate private(set) var handles: [PromiseHandle] = []
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
    core.becomeReporting(
      traits, on: .immediate, isKept: true, operations: operations, memory: RostersWord.bareBit | RostersWord.rowBit)
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
  /// Those that come first, row by row; the last row may have room.
  private var fullRows: [StepRow] = []
  private var row: StepRow?
  fileprivate var others: [CoreRef] = []

  @inline(__always)
  func visit(_ body: (CoreRef) -> Void) {
    for row in fullRows { for core in row.cores { body(core) } }
    if let row { for core in row.cores { body(core) } }
    for core in others { body(core) }
  }

  fileprivate var isWaiting: Bool {
    fullRows.contains { $0.cores.contains(where: \.isWaiting) } || row?.cores.contains(where: \.isWaiting) == true
      || others.contains(where: \.isWaiting)
  }

  /// Memory for the next step, in a row.
  ///
  /// - Parameter number: How many are to come, with this one.
  @inline(__always)
  fileprivate mutating func nextInRow(expecting number: Int, words: Int) -> CoreRef {
    if let core = row?.next(words: words) { return core }
    if let row { fullRows.append(row) }
    var new = StepRow(for: number, words: words)
    defer { row = new }
    guard let core = new.next(words: words) else { preconditionFailure("a row of steps has no room for one") }
    return core
  }

  /// Lets go of the rows' memory.
  fileprivate func end() {
    for row in fullRows { row.end() }
    row?.end()
  }
}

/// Steps that were registered together, with the counts on them.
private final class StepList: Sendable {
  let cores: StepCores
  private let handles: [PromiseHandle]

  init(_ steps: NewSteps) {
    cores = steps.cores
    handles = steps.handles
  }

  deinit {
    cores.visit { $0.release() }
    cores.end()
  }

  var isWaiting: Bool { cores.isWaiting }

  func requestCancel() { cores.visit { $0.requestCancel() } }

  func abandonWaiting() { cores.visit { $0.abandonWaiting() } }
}

extension CoreRef {
  /// Makes a core wait through steps. Nobody but its creator has seen it.
  func gather(_ steps: WaitingSteps) {
    // Unsafe: nobody else has seen the core.
    unsafe pointer.pointee.gate = Gate(waitingThrough: steps)
    unsafe pointer.pointee.traits.insert(.gathers)
  }
}

extension WeakCore {
  /// Cancels a step that waits for its source, and the chain before it as far as nobody else sees it; asks anything else to
  /// cancel. Does nothing once the promise has resolved or is gone.
  func endChain() { withCore { $0.endWaiting(isChain: true) } }
}

extension CoreRef {
  /// Cancels a step that waits for its source, without running it, and withdraws its vote; asks anything else to cancel.
  ///
  /// The caller holds a count, or has the handle.
  /// - Parameter isChain: Whether the steps before it that nobody else can see do not run either.
  func endWaiting(isChain: Bool = false) {
    guard isWaiting, claim() else { return requestCancel() }
    // The claim is ours: this only tells whoever is upstream.
    requestCancel()
    endClaimed(isChain: isChain)
  }

  /// Whether this step has neither run nor been resolved, as far as can be told while it is suspended.
  fileprivate var isWaiting: Bool {
    let word = state
    return word.isPending || word.isHeld
  }

  /// Ends a step that waits for its source, without running it: its callback and its vote go. Does nothing once the
  /// step runs or has run.
  ///
  /// The caller holds a count.
  fileprivate func abandonWaiting() {
    guard isWaiting, claim() else { return }
    endClaimed(isChain: false)
  }
}
