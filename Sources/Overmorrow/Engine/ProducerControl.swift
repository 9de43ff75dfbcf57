/// A producer that can be suspended, and what it has been told.
///
/// It is told by one thread at a time, and in the end what is true: whoever tells it looks again afterwards.
final class ProducerControl: Sendable {
  private struct State {
    var isSuspended = false
    var isBeingTold = false
    var isCancelled = false
  }

  private enum Message {
    case suspend, resume, cancel
  }

  private let producer: any PromiseSuspendable
  private let state = Guarded(State())

  init(_ producer: any PromiseSuspendable) { self.producer = producer }

  /// The promise may have been suspended or resumed. The caller holds a count on its core.
  func update(for core: CoreRef) { tell(core) }

  /// Cancelling the promise was requested. Called once.
  func cancel() {
    let isBeingTold = state.withLock { state in
      defer { state = State(isSuspended: state.isSuspended, isBeingTold: true, isCancelled: true) }
      return state.isBeingTold
    }
    if !isBeingTold { producer.cancel() }
  }

  private func tell(_ core: CoreRef) {
    var isTelling = false
    while let message = nextMessage(core, isTelling: isTelling) {
      isTelling = true
      switch message {
      case .suspend: producer.suspend()
      case .resume: producer.resume()
      case .cancel: return producer.cancel()
      }
    }
  }

  private func nextMessage(_ core: CoreRef, isTelling: Bool) -> Message? {
    state.withLock { state in
      if state.isBeingTold, !isTelling { return nil }
      if state.isCancelled { return .cancel }
      // E7: whoever suspends changes the state and then looks for producers; whoever attaches one looks at the state then.
      let word = core.stateInTotalOrder
      let isSuspended = word.isHeld
      state.isBeingTold = !word.isResolved && isSuspended != state.isSuspended
      guard state.isBeingTold else { return nil }
      state.isSuspended = isSuspended
      return isSuspended ? .suspend : .resume
    }
  }
}
