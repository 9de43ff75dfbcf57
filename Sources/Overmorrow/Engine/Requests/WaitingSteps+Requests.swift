/// What happens to the steps when the promise that waits through them is asked to cancel, or has resolved.
extension WaitingSteps {
  /// Adds steps that were just registered.
  ///
  /// The new steps are asked to cancel if the others have been asked, and abandoned if the others have been abandoned.
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

  /// Adds one more step, which may have run already.
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

  /// Ends the steps, because the inputs are no longer needed: drops the votes on pending inputs, and what the steps
  /// keep. This counts as a request to cancel only if a request was made.
  func end() {
    let (lists, isAsked) = state.withLock { state in
      state.isEnded = true
      return (state.lists.takeAll(), state.isAsked)
    }
    // The caller may be a step that was cancelled by the request, before the request has reached the other steps.
    if isAsked { for list in lists { list.requestCancel() } }
    for list in lists { list.abandonWaiting() }
  }

  /// An object that ends the steps when it is released.
  var atEnd: some Sendable { OneCall(atLatest: { self.end() }) }
}

extension StepList {
  fileprivate func requestCancel() { for core in cores.all { core.requestCancel() } }

  fileprivate func abandonWaiting() { for core in cores.all { core.abandonWaiting() } }
}
