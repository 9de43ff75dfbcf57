internal import OvermorrowDiagnostics
internal import OvermorrowEngine

extension Promise {
  /// Gives the promise a name for the diagnostics, and returns the promise.
  ///
  /// Reports, lists of pending promises and recordings show the name beside the place where the promise was made. Use
  /// names if one place makes many promises:
  ///
  /// ```swift
  /// let order = load(number).named("order \(number)")
  /// ```
  ///
  /// Promises that are derived from this promise afterwards take over the name. A second name replaces the first.
  ///
  /// If the promise is watched, recorded or in a scope of checks, `name` is evaluated inside this call, before the
  /// method returns. Otherwise, as by default in release builds, `name` is not evaluated, and this call only reads a
  /// flag.
  ///
  /// - Parameter name: The name. Several promises may have the same name.
  @discardableResult
  public func named(_ name: @autoclosure () -> String) -> Promise {
    withExtendedLifetime(handle) {
      if let note = PromiseNote.find(handle.core) { note.rename(name()) }
    }
    return self
  }
}
