#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// What the compiler makes of chains with one mistake, and of long ones without: it finds the line, and soon.
  ///
  /// `Tests/Clients/Scopes.json` has what the type checker may need at most, about a fifth more than was measured with
  /// Swift 6.3.1. Where a new compiler needs more, or says something else, look at it before changing the record.
  @Suite(.serialized, .heavy, .enabled(if: SwiftTools.areAsked)) struct SlipClientTests {
    let tools: SwiftTools
    let thresholds: [String: Int]

    init() throws {
      tools = try SwiftTools()
      let record = try Data(contentsOf: tools.clients.appending(path: "Scopes.json"))
      thresholds = try JSONDecoder().decode([String: Int].self, from: record)
    }

    @Test(
      "18.6 a mistake in a chain is found where it is, without much work",
      arguments: [
        "Arithmetic", "ArgumentLabel", "FailureThatIsNoError", "FormerNames", "FunctionName", "MainActorState",
        "MemberInFirstStep",
        "MemberBehindStarters", "MemberInLastStep", "MemberInMiddleStep", "MemberInStarters", "MissingTry",
        "NamesOfOthers", "NonSendableCapture", "OperatorName",
        "ReturnedErrorType", "RightBehindFlatMap", "SoonBehindFlatMap", "StatementsInTheMiddle", "ThrownErrorType",
      ])
    func slip(name: String) async throws {
      try await expectAnnounced("Slips/\(name)")
    }

    @Test("18.6 a long chain without a mistake is no work", arguments: ["Ten", "Twenty", "Fifty"])
    func right(name: String) async throws {
      try await expectAnnounced("Right/\(name)")
    }

    @Test("18.6 every client with a mistake is tried")
    func allTried() throws {
      let clients = try ["Slips", "Right"].flatMap { folder in
        try tools.sources(of: folder).map { "\(folder)/\($0.deletingPathExtension().lastPathComponent)" }
      }
      #expect(Set(clients) == Set(thresholds.keys).union(["Slips/Pages"]).subtracting(["CompilerMessages"]))
    }

    private func expectAnnounced(_ client: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
      let scopes = try await tools.expectAnnounced(
        ["Slips/Pages.swift", "\(client).swift"], language: 6, sourceLocation: sourceLocation)
      let threshold = try #require(thresholds[client], sourceLocation: sourceLocation)
      // None at all means that the compiler does not count, or calls it something else.
      #expect((1...threshold).contains(scopes), sourceLocation: sourceLocation)
    }
  }
#endif
