/// The steps through which a combinator waits for its inputs; each has a vote on one of them.
///
/// A step's callback may lead back here: the circle is broken by the step that runs, or by ``end()``.
@usableFromInline
final class WaitingSteps: Sendable {
  private struct State {
    var lists = SweptList<StepList>()
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
  func add(_ cores: consuming OwnedCores) { add(StepList(cores)) }

  private func add(_ new: StepList) {
    let (swept, isAsked, isEnded) = state.withLock { state -> ([StepList], Bool, Bool) in
      let swept = state.isEnded ? [] : state.lists.append(new) { !$0.isWaiting }
      return (swept, state.isAsked, state.isEnded)
    }
    if isAsked { new.requestCancel() }
    if isEnded { new.abandonWaiting() }
    withExtendedLifetime(swept) {}
  }

  /// Takes one more step, which may have run already.
  @usableFromInline
  func add(_ handle: PromiseHandle) {
    if handle.core.isWaiting { add(StepList(OwnedCores([handle.core]), handle)) }
  }

  /// Asks the steps to cancel: each withdraws its vote.
  func requestCancel() {
    let lists = state.withLock { state in
      state.isAsked = true
      return state.lists.elements
    }
    for list in lists { list.requestCancel() }
  }

  /// The inputs are not needed any more: drops the votes on those that go on, and what the steps keep. That does not count
  /// as having asked to cancel, unless that has been asked for.
  func end() {
    let (lists, isAsked) = state.withLock { state in
      state.isEnded = true
      return (state.lists.takeAll(), state.isAsked)
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

  /// Makes counts of the steps' cores.
  func keepCores(in kept: inout OwnedCores) {
    // Under the lock the lists, which hold counts, are only kept: they may be long.
    let lists = state.withLock { $0.lists.elements }
    withExtendedLifetime(lists) {
      for core in lists.flatMap({ $0.cores.all }) { kept.keep(Owned(core)) }
    }
  }
}

/// Steps that were registered together.
private final class StepList: Sendable {
  let cores: OwnedCores
  /// Of a single step, if it has one.
  private let handle: PromiseHandle?

  init(_ cores: consuming OwnedCores, _ handle: PromiseHandle? = nil) {
    self.cores = cores
    self.handle = handle
  }

  /// Whether one of them may still run.
  var isWaiting: Bool { cores.all.contains(where: \.isWaiting) }

  func requestCancel() { for core in cores.all { core.requestCancel() } }

  func abandonWaiting() { for core in cores.all { core.abandonWaiting() } }
}

extension WeakCore {
  /// Cancels a step that waits for its source, and the chain before it as far as nobody else sees it; asks anything else to
  /// cancel. Does nothing once the promise has resolved or is gone.
  func endChain() { withCore { $0.endWaiting(isChain: true) } }
}
