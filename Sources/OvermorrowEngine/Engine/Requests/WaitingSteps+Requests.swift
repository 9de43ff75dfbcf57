/// Requests to cancel the steps, and the end of the steps.
extension WaitingSteps {
  /// Adds steps that were just registered.
  ///
  /// If the other steps have been asked to cancel, asks the new steps, too. If the other steps have been abandoned,
  /// abandons the new steps, too.
  package func add(_ cores: consuming OwnedCores) { add(StepList(cores)) }

  private func add(_ new: StepList) {
    let (swept, isAsked, isEnded) = state.withLock { state -> ([StepList], Bool, Bool) in
      let swept = state.isEnded ? [] : state.lists.append(new) { !$0.isWaiting }
      return (swept, state.isAsked, state.isEnded)
    }
    if isAsked { new.requestCancel() }
    if isEnded { new.dropWaiting() }
    withExtendedLifetime(swept) {}
  }

  /// Adds one more step, which may have run already.
  @usableFromInline
  package func add(_ handle: PromiseHandle) {
    if handle.core.state.isPending { add(StepList(OwnedCores([handle.core]), handle)) }
  }

  /// Asks the steps to cancel, so that each step withdraws its vote.
  package func requestCancel() {
    let lists = state.withLock { state in
      state.isAsked = true
      return state.lists.elements
    }
    for list in lists { list.requestCancel() }
  }

  /// Ends the steps, because the inputs are no longer needed. Drops the votes on pending inputs, and releases what the
  /// steps retain. The end counts as a request to cancel only if a request was made before.
  package func dropWaiting() {
    let (lists, isAsked) = state.withLock { state in
      state.isEnded = true
      return (state.lists.takeAll(), state.isAsked)
    }
    // The caller may be a step that was cancelled by the request, before the request has reached the other steps. So
    // the other steps are asked here.
    if isAsked { for list in lists { list.requestCancel() } }
    for list in lists { list.dropWaiting() }
  }
}

extension StepList {
  fileprivate func requestCancel() { for core in cores.all { core.requestCancel() } }

  fileprivate func dropWaiting() { for core in cores.all { core.dropWaiting() } }
}
