import Foundation

extension DemoServer {
  /// A request for a picture.
  package struct Visit: Sendable {
    /// The number of the picture, from 1.
    package let picture: Int

    /// The number of requests for this picture so far, including this one.
    package let number: Int
  }

  /// The server's answer to a visit.
  package enum Answer: Sendable {
    /// The requested picture.
    case picture

    /// An error status, such as 503.
    case status(Int)

    /// A body in place of the picture.
    case body(Data)
  }

  /// Determines the answer to each visit. The answer is sent when the function returns.
  package typealias Behaviour = @Sendable (Visit) async throws -> Answer

  /// Determines how long a search takes. The answer is sent when the function returns.
  package typealias SearchBehaviour = @Sendable (_ text: String) async throws -> Void
}

extension DemoServer {
  /// The behaviour of an ordinary server: most pictures are fast, every fifth is slow, and a few requests are refused
  /// twice before the picture is sent.
  package static let everyday: Behaviour = { visit in
    try await Task.sleep(for: latency(of: visit))
    return isBusy(for: visit) ? .status(503) : .picture
  }

  /// Returns the time until an answer is sent. A refusal is sent at once.
  static func latency(of visit: Visit) -> Duration {
    guard !isBusy(for: visit) else { return .milliseconds(20) }
    return visit.picture.isMultiple(of: 5)
      ? .milliseconds(400 + visit.picture * 25)
      : .milliseconds(20 + visit.picture * 37 % 100)
  }

  static func isBusy(for visit: Visit) -> Bool {
    visit.picture % 7 == 4 && !visit.number.isMultiple(of: 3)
  }

  /// The time of a search, which is longer for a shorter text: a second for one letter, a quarter of a second for two.
  package static let everydaySearch: SearchBehaviour = { text in
    try await Task.sleep(for: .seconds(1) / max(1, text.count * text.count))
  }
}
