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
    withSideTable { sideTable in
      guard sideTable.core != nil, sideTable.callback == .inPlace, !state.isResolved else { return nil }
      sideTable.callback = .dropped
      // A move, and no code of the user's.
      guard case .answer(let callback) = perform(.takeOut, nil) else { return nil }
      return callback
    }
  }

  /// Takes the callback for the thread that runs the step, or passes its result on. Called by the owner of the claim.
  ///
  /// - Parameter isToRun: Whether the callback is wanted.
  /// - Returns: What to do: run, pass, or pass without a callback.
  @inline(__always)
  func takeCallback(isToRun: Bool) -> Operation {
    link.hasSideTable ? takeCallbackInSideTable(isToRun) : isToRun ? .run : .pass
  }

  @inline(never)
  private func takeCallbackInSideTable(_ isToRun: Bool) -> Operation {
    withSideTable { sideTable in
      guard sideTable.callback == .inPlace else { return .passWithout }
      sideTable.callback = .taken
      return isToRun && !sideTable.rosters.elements.contains(where: \.isShutGate) ? .run : .pass
    }
  }

  /// The callback of this step will not run: the step ends when nobody sees it. The caller looks at that afterwards, or has the handle.
  @usableFromInline
  func suppressCallback() { updateVotes { ($0.suppressing(), ()) } }
}
