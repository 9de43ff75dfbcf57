/// What suppresses a callback: the tokens that it was registered with, each as it was then.
///
/// A callback keeps the rosters, not the tokens, so that nothing pending keeps a token alive. A token that is invalidated takes a new
/// roster for the callbacks to come.
@usableFromInline
struct Gate: Sendable {
  private let first: TokenRoster
  private let others: [TokenRoster]

  init(_ first: TokenRoster, others: [TokenRoster] = []) {
    self.first = first
    self.others = others
  }

  /// Whether one of the tokens has been invalidated since.
  var isShut: Bool { first.isClosed || others.contains(where: \.isClosed) }

  /// Lists a step, whose callback is in its payload, with each token. Nobody else has seen the step.
  func enter(_ step: CoreRef) {
    var isOpen = first.add(step, asGate: true)
    for roster in others { isOpen = roster.add(step, asGate: true) && isOpen }
    if !isOpen {
      _ = step.takeCallbackOut()
      step.suppressCallback()
    }
  }
}

// MARK: - The callback

/// Where the callback of a step is.
enum CallbackState: Sendable {
  /// In the payload.
  case inPlace
  /// With the thread that runs the step, or passes its result on.
  case taken
  /// Released, as a token was invalidated.
  case dropped
}

/// A callback that has been moved out of its step and will not run. It is released with this; on the main queue if it was to run there.
@usableFromInline
final class DroppedCallback<Callback>: Answer, @unchecked Sendable {
  // Sendable: the thread that has it releases it, and does nothing else.
  private var callback: Callback?
  private let isOnMain: Bool

  @usableFromInline
  init(_ callback: consuming Callback, of step: CoreRef) {
    self.callback = callback
    isOnMain = step.isOnMain
  }

  deinit {
    if isOnMain, let callback = callback.take() { MainBound(consume callback).release() }
  }
}

extension CoreRef {
  /// A token was invalidated: moves the callback out, unless the step runs or has run; it is released when the caller lets go of it.
  func takeCallbackOut() -> Answer? {
    withTies { ties in
      guard ties.core != nil, ties.callback == .inPlace, !state.isResolved else { return nil }
      ties.callback = .dropped
      // A move, and no code of the user's.
      guard case .answer(let callback) = perform(.takeOut, nil) else { return nil }
      return callback
    }
  }
}

extension WeakCore {
  /// As `takeCallbackOut`; `nil` also if the step is gone.
  func takeCallbackOut() -> Answer? {
    var callback: Answer?
    withCore { callback = $0.takeCallbackOut() }
    return callback
  }

  /// Ends the step whose callback has been dropped, if nobody can see that.
  func endSuppressed() {
    withCore { step in
      step.suppressCallback()
      step.endUnseen()
    }
  }
}
