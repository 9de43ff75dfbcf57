/// What becomes of the steps when the promise that waits through them is asked, or has resolved.
extension WaitingSteps {
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
  var atEnd: some Sendable { OneCall(atLatest: { self.end() }) }
}

extension StepList {
  fileprivate func requestCancel() { for core in cores.all { core.requestCancel() } }

  fileprivate func abandonWaiting() { for core in cores.all { core.abandonWaiting() } }
}
