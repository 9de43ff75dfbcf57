import Foundation

extension DemoServer {
  /// A request for a picture.
  package struct Visit: Sendable {
    /// The number of the picture, from 1.
    package let picture: Int

    /// How many requests for this picture there have been, with this one.
    package let number: Int
  }

  /// What the server answers to a visit.
  package enum Answer: Sendable {
    /// The picture that was asked for.
    case picture

    /// An error status, such as 503.
    case status(Int)

    /// A body that is passed off as the picture.
    case body(Data)
  }

  /// Decides the answer to each visit; the answer goes out when the function returns.
  package typealias Behaviour = @Sendable (Visit) async throws -> Answer

  /// Decides how long a search for a text takes; the answer goes out when the function returns.
  package typealias SearchBehaviour = @Sendable (_ text: String) async throws -> Void
}

extension DemoServer {
  /// The manners of a server in ordinary life: most pictures come fast, every fifth is slow, and a few are refused
  /// twice each time before they come.
  package static let everyday: Behaviour = { visit in
    try await Task.sleep(for: latency(of: visit))
    return isBusy(for: visit) ? .status(503) : .picture
  }

  /// How long an answer takes; a refusal comes at once.
  static func latency(of visit: Visit) -> Duration {
    guard !isBusy(for: visit) else { return .milliseconds(20) }
    return visit.picture.isMultiple(of: 5)
      ? .milliseconds(400 + visit.picture * 25)
      : .milliseconds(20 + visit.picture * 37 % 100)
  }

  static func isBusy(for visit: Visit) -> Bool {
    visit.picture % 7 == 4 && !visit.number.isMultiple(of: 3)
  }

  /// The shorter the text, the longer the search: a second for one letter, a quarter of that for two.
  package static let everydaySearch: SearchBehaviour = { text in
    try await Task.sleep(for: .seconds(1) / max(1, text.count * text.count))
  }
}
