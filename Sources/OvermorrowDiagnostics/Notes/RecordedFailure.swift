package import OvermorrowEngine

/// An error that code has read, without the error itself, and its trail.
package final class RecordedFailure: Sendable {
  /// The failure for which the calling code is a callback, or belongs to a task that such a callback has started. A
  /// task may have another error with the same description.
  @TaskLocal private static var inherited: RecordedFailure?

  /// The failure for which the calling code is a callback.
  static var current: RecordedFailure? { ThreadLocal.current.failure as? RecordedFailure }

  /// Runs code as a callback for this failure.
  package func handle<Result>(_ code: () -> Result) -> Result {
    let outer = ThreadLocal.current.failure
    ThreadLocal.current.failure = self
    defer { ThreadLocal.current.failure = outer }
    return Self.$inherited.withValue(self, operation: code)
  }

  /// The largest number of failures that are kept.
  static var limit: Int { 100 }
  private static let failures = Guarded<[RecordedFailure]>([])

  private let text: ErrorText
  /// The number of the promise.
  private let number: UInt
  let trailParts: TrailParts
  /// The record of the promise; `nil` if the promise has a note.
  package let record: CoreRecord.Key?

  init(of error: Any, of number: UInt, _ parts: TrailParts, record: CoreRecord.Key? = nil) {
    self.number = number
    self.record = record
    text = ErrorText(error)
    trailParts = parts
  }

  /// Keeps the error of a recorded promise, and runs the code that reads the error.
  static func read(_ core: CoreRef, _ code: () -> Void) {
    guard let failure = RecordedFailure(ofRecorded: core) else { return code() }
    failure.keep()
    failure.handle(code)
  }

  /// Whether new promises that are not watched are recorded.
  package static var recordsTrails: Bool {
    get { DiagnosticsSwitch.recordsTrails }
    set {
      CoreRecord.reader.withLock { $0 = CoreRecord.Reader(read) }
      DiagnosticsSwitch.setRecordsTrails(newValue)
    }
  }

  /// Creates a record of the error of a rejected promise that is recorded. Returns `nil` if the record of the promise
  /// was replaced. The caller keeps the core.
  private convenience init?(ofRecorded core: CoreRef) {
    guard let key = CoreRecord.Key(core), let parts = TrailParts(recordsOf: key), let error = core.copyOfError else {
      return nil
    }
    // Differs from the numbers of notes.
    self.init(of: error, of: ~UInt(key.number), parts, record: key)
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

  /// Whether this is the failure of an error: the error has the same type, by its name, and the same description.
  package func isOf(_ error: Any) -> Bool { text == ErrorText(error) }

  /// Returns the trail of an error: that of the failure for which the calling code is a callback. If there is none with
  /// the same type, by its name, and the same description, this is a guess: that of the failure for whose callback the
  /// calling task was started, or of the newest kept failure.
  package static func trail(of error: any Error) -> Trail? {
    let text = ErrorText(error)
    let matches = { (failure: RecordedFailure) in failure.text == text }
    if let current, matches(current) { return current.trailParts.trail }
    let guess = inherited.flatMap { matches($0) ? $0 : nil } ?? failures.withLock { $0 }.last(where: matches)
    guard var trail = guess?.trailParts.trail else { return nil }
    trail.isGuess = true
    return trail
  }
}

extension RecordedFailure {
  /// The failure of the input for which the calling code is a callback; `nil` if there is none, or if no error is
  /// followed.
  package static var ofInput: RecordedFailure? { DiagnosticsSwitch.isOn ? current : nil }
}
