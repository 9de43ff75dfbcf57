/// The condition that suppresses a callback: the rosters that its tokens had when the callback was registered.
///
/// A callback keeps rosters and not tokens, so that a pending promise keeps no token alive. An invalidated token takes
/// a new roster for later callbacks.
@usableFromInline
struct Gate: Sendable {
  private let first: TokenRoster
  private let others: [TokenRoster]

  init(_ first: TokenRoster, others: [TokenRoster] = []) {
    self.first = first
    self.others = others
  }

  /// Whether one of the tokens has been invalidated since then.
  var isShut: Bool { first.isClosed || others.contains(where: \.isClosed) }

  /// Adds a step, whose callback is in its payload, to each roster. The step is not shared yet.
  ///
  /// - Returns: `false` if the gate was already shut. Then the callback has been dropped.
  func enter(_ step: CoreRef) -> Bool {
    var isOpen = first.add(step, asGate: true)
    for roster in others { isOpen = roster.add(step, asGate: true) && isOpen }
    if !isOpen {
      _ = step.takeCallbackOut()
      step.suppressCallback()
    }
    return isOpen
  }
}

// MARK: - The callback

/// A callback that was moved out of its step and will not run. It is released with this object, on the main queue if it
/// was to run there.
@usableFromInline
final class DroppedCallback<Callback>: Answer, @unchecked Sendable {
  // Sendable: the thread that has it only releases it.
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
  /// Moves the callback out after the invalidation of a token, unless the step runs or has run. The caller releases the
  /// callback.
  func takeCallbackOut() -> Answer? {
    withSideTable { sideTable in
      guard sideTable.core != nil, sideTable.callback == .inPlace, !state.isResolved else { return nil }
      sideTable.callback = .dropped
      // A move, which runs no user code.
      guard case .answer(let callback) = perform(.takeOut, nil) else { return nil }
      return callback
    }
  }

  /// Takes the callback for the thread that runs the step or passes its result on. Called by the owner of the claim.
  ///
  /// - Parameter isToRun: Whether the callback is for the result.
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

  /// Marks a step whose callback will not run, so that it ends when it is no longer observed. The caller checks that
  /// afterwards, or has the handle.
  @usableFromInline
  func suppressCallback() { updateVotes { ($0.suppressing(), ()) } }
}
