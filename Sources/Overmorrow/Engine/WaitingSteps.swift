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

  /// Whether this step has neither run nor been resolved.
  var isWaiting: Bool { state.isPending }

  /// Ends a step that waits for its source, without running it: its callback and its vote go. Does nothing once the
  /// step runs or has run.
  ///
  /// The caller holds a count.
  fileprivate func abandonWaiting() {
    guard isWaiting, claim() else { return }
    endClaimed(isChain: false)
  }
}
