internal import OvermorrowEngine

/// An error that code has read, without the error itself, and its way.
final class RecordedFailure: Sendable {
  /// The failure for which the calling code is a callback.
  @TaskLocal static var current: RecordedFailure?

  /// The largest number of failures that are kept.
  static var limit: Int { 100 }
  private static let failures = Guarded<[RecordedFailure]>([])

  private let type: String
  /// The beginning of the error's description.
  private let text: String
  /// The number of the promise.
  private let number: UInt
  let way: PromiseWay

  init(of error: Any, of number: UInt, _ way: PromiseWay) {
    self.number = number
    (type, text) = (Self.type(of: error), Self.text(of: error))
    self.way = way
  }

  /// Keeps the failure. If there are too many failures, removes the oldest. If the newest failure is that of the same
  /// promise, replaces it.
  func keep() {
    let old = Self.failures.withLock { failures in
      let isRepeated = failures.last?.number == number
      let old = isRepeated ? failures.removeLast() : failures.count == Self.limit ? failures.removeFirst() : nil
      failures.append(self)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Returns the way of an error: the way of the failure for which the calling code is a callback, or else the way of
  /// the newest kept failure that has the same type, by its name, and the same description.
  static func way(of error: any Error) -> PromiseWay? {
    let (type, text) = (type(of: error), text(of: error))
    let matches = { (failure: RecordedFailure) in failure.type == type && failure.text == text }
    if let current, matches(current) { return current.way }
    return failures.withLock { $0 }.last(where: matches)?.way
  }

  private static func type(of error: Any) -> String { "\(Swift.type(of: error))" }

  /// The description is shortened, because it may be long.
  private static func text(of error: Any) -> String { String("\(error)".prefix(300)) }
}

extension PromiseDiagnostics {
  /// Returns the way of an error through the promises of the program: where its chain begins, which step was rejected,
  /// and which promises took over the error.
  ///
  /// ```swift
  /// forecast.catch { error in
  ///   guard let trail = PromiseDiagnostics.trail(of: error) else { return }
  ///   log("\(error), on this way:\n\(trail)")
  ///   attach(trail.json)
  /// }
  /// ```
  ///
  /// Inside a callback that receives the error, and in tasks that the callback starts, the trail is that of the
  /// callback's promise. Elsewhere, such as after `try await promise.value`, the trail is that of the newest error with
  /// the same type and the same description, among the last 100 errors that code has read.
  ///
  /// Only errors of watched promises have a trail. By default, promises are watched in debug builds. The places of
  /// steps are known only in debug builds on Linux.
  ///
  /// - Parameter error: An error of a promise.
  /// - Returns: The way of the error; `nil` if it is unknown.
  public static func trail(of error: any Error) -> PromiseTrail? { RecordedFailure.way(of: error)?.trail }
}
