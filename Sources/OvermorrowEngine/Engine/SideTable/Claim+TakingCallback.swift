extension Claim {
  /// Takes the callback, to run the step or to forward its result.
  ///
  /// - Parameter isToRun: Whether the callback is for the result.
  /// - Returns: The operation to perform: run, forward, or forward without a callback.
  @inline(__always)
  func takeCallback(isToRun: Bool) -> CoreOperation {
    core.link.hasSideTable ? takeCallbackInSideTable(isToRun) : isToRun ? .run : .forward
  }

  @inline(never)
  private func takeCallbackInSideTable(_ isToRun: Bool) -> CoreOperation {
    core.withSideTable { sideTable in
      guard sideTable.callback == .inPlace else { return .forwardWithoutCallback }
      sideTable.callback = .taken
      return isToRun && !sideTable.rosters.elements.contains(where: \.isShutGate) ? .run : .forward
    }
  }
}
