internal import OvermorrowDiagnostics

extension PromiseDiagnostics {
  /// Returns the trail of an error through the promises of the program: where its chain begins, which step was
  /// rejected, and which promises took over the error.
  ///
  /// ```swift
  /// forecast.catch { error in
  ///   guard let trail = PromiseDiagnostics.trail(of: error) else { return }
  ///   log("\(error), on this way:\n\(trail)")
  ///   attach(trail.json)
  /// }
  /// ```
  ///
  /// Inside a callback that receives the error, the trail is that of the callback's promise. Elsewhere, the trail is a
  /// guess (``PromiseTrail/isGuess``), because the error may be another one with the same type and the same
  /// description. In tasks that the callback starts, the guess is the trail of the callback's promise. In other code,
  /// such as after `try await promise.value`, it is that of the newest such error among the last 100 errors that code
  /// has read.
  ///
  /// Only errors of watched promises and of recorded promises have a trail. By default, promises are watched in debug
  /// builds. In release builds, set ``recordsTrails``. The places of steps are known only in debug builds on Linux.
  /// In other debug builds, steps have ``PromiseTrail/Entry/calls``.
  ///
  /// - Parameter error: An error of a promise.
  /// - Returns: The trail of the error; `nil` if it is unknown.
  public static func trail(of error: any Error) -> PromiseTrail? {
    RecordedFailure.trail(of: error).map { PromiseTrail(trail: $0) }
  }

  /// Whether new promises that are not watched are recorded, so that their errors have trails, too; `false` by default.
  ///
  /// Set this property at the start of a release build. A promise is recorded if the property was `true` when the first
  /// promise of its chain was made. Records do not change what promises do, and retain nothing.
  ///
  /// ```swift
  /// PromiseDiagnostics.recordsTrails = true
  /// ```
  ///
  /// The last 16,384 promises have records, in a table of 1 MiB. A trail begins after the last promise whose record was
  /// replaced. If the record of the rejected promise itself was replaced, its error has no trail. Making a step takes
  /// about a tenth longer, and reading an error takes some microseconds longer.
  ///
  /// The entries of steps have no operators, contexts or names. Instead, they have ``PromiseTrail/Entry/calls``.
  public static var recordsTrails: Bool {
    get { RecordedFailure.recordsTrails }
    set { RecordedFailure.recordsTrails = newValue }
  }
}
