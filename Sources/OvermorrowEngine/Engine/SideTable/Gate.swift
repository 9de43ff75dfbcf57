/// The condition under which a callback is suppressed. It consists of the rosters that the callback's tokens had when
/// the callback was registered.
///
/// A callback retains rosters and not tokens, so that a pending promise keeps no token alive. An invalidated token
/// takes a new roster for later callbacks.
@usableFromInline
package struct Gate: Sendable {
  private let first: TokenRoster
  private let second: TokenRoster?

  package init(_ first: TokenRoster, _ second: TokenRoster? = nil) {
    self.first = first
    self.second = second === first ? nil : second
  }

  /// Whether one of the tokens has been invalidated since the gate was made.
  package var isShut: Bool { first.isClosed || second?.isClosed == true }

  /// Adds a step to each roster. The callback of the step is in the payload, and the step is not shared yet.
  ///
  /// - Returns: `false` if the gate was already shut. In this case, the callback has been released.
  func enter(_ step: CoreRef) -> Bool {
    var isOpen = first.add(step, asGate: true)
    if let second { isOpen = second.add(step, asGate: true) && isOpen }
    if !isOpen {
      _ = step.takeCallbackOut()
      step.suppressCallback()
    }
    return isOpen
  }
}

// MARK: - The callback

/// A callback that was moved out of its step and will not run. The end of this object releases the callback. If the
/// callback was to run on the main queue, it is released there.
@usableFromInline
package final class DroppedCallback<Callback>: Answer, @unchecked Sendable {
  // Sendable: the thread that has this object only releases it.
  private var callback: Callback?
  private let isOnMain: Bool

  @usableFromInline
  package init(_ callback: consuming Callback, of step: CoreRef) {
    self.callback = callback
    isOnMain = step.isOnMain
  }

  deinit {
    if isOnMain, let callback = callback.take() { MainBound(consume callback).release() }
  }
}

extension CoreRef {
  /// Moves the callback out after the invalidation of a token. The caller releases the callback. Returns `nil` if the
  /// callback was already taken, or if the promise has resolved.
  func takeCallbackOut() -> Answer? {
    withSideTable { sideTable in
      guard sideTable.core != nil, sideTable.callback == .inPlace, !state.isResolved else { return nil }
      sideTable.callback = .dropped
      // A move, which runs no user code.
      guard case .answer(let callback) = perform(.takeOut, nil) else { return nil }
      return callback
    }
  }

  /// Records that the callback of this step will not run, so that the step ends when it is no longer observed. A caller
  /// without the handle checks afterwards whether the step is still observed.
  @usableFromInline
  func suppressCallback() { updateVotes { ($0.suppressing(), ()) } }
}
