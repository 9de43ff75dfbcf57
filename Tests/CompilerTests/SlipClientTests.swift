#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// The compiler's reaction to chains with one mistake, and to long correct chains: it reports the right line, without
  /// much work.
  ///
  /// `Tests/Clients/Scopes.json` records the limits for the work of the type checker, about 20 % above what Swift 6.3.1
  /// needs. If a new compiler needs more, or reports something else, find out why before you change the record.
  @Suite(.serialized, .compiling, .enabled(if: SwiftTools.areEnabled)) struct SlipClientTests {
    let tools: SwiftTools
    let thresholds: [String: Int]

    init() throws {
      tools = try SwiftTools()
      let record = try Data(contentsOf: tools.clients.appending(path: "Scopes.json"))
      thresholds = try JSONDecoder().decode([String: Int].self, from: record)
    }

    @Test(
      "18.6 the compiler finds a mistake in a chain on its line, with little work",
      arguments: [
        "Arithmetic", "ArgumentLabel", "NonErrorFailure", "MainActorState", "MemberAfterStarters", "MemberInStarters",
        "OtherLibrariesNames", "OperatorName", "MultiStatementClosure", "ThrownErrorType",
      ])
    func slip(name: String) async throws {
      try await expectAnnounced("Slips/\(name).swift", threshold: "Slips/\(name)")
    }

    /// Mistakes in one step of nine: the correct text, the wrong text, and the message.
    static let steps: [(name: String, right: String, wrong: String?, error: String)] = [
      ("FunctionName", "loadPage($0 - 1)", "laodPage($0 - 1)", "cannot find 'laodPage' in scope"),
      ("FunctionName", "page in show(page.count * 2)", nil, "cannot infer type of closure parameter 'page' without"),
      ("MemberInFirstStep", "$0.age + 1", "$0.agee + 1", "value of type 'User' has no member 'agee'"),
      ("MemberInMiddleStep", "$0.count", "$0.cuont", "value of type 'String' has no member 'cuont'"),
      (
        "MemberInLastStep", "show($0.isCancelled ? 0 : 1)", "show($0.isCanceled ? 0 : 1)",
        "value of type 'PromiseResult<Page, any Error>' has no member 'isCanceled'"
      ),
      (
        "MissingTry", "$0.count", "parse($0)",
        "call can throw, but it is not marked with 'try' and the error is not handled"
      ),
      (
        "NonSendableCapture", "page in show(page.count * 2)", "page in cart.items += page.count * 2",
        "capture of 'cart' with non-Sendable type 'Cart'"
      ),
      (
        "ReturnedErrorType", "loadPage($0 - 1)", "loadDraft($0 - 1)",
        "cannot convert value of type '@Sendable (Int) -> Promise<Page, Outage>'"
      ),
      // The compiler reports a misspelt member in one of the two steps after a `flatMap` on the line of the `flatMap`,
      // because it fails to infer the type of that closure, as it does with `Result` and `Optional`.
      ("AfterFlatMap", "loadPage($0)", nil, "cannot convert value of type 'Promise<Page, any Error>' to closure"),
      ("AfterFlatMap", "$0.title", "$0.titel", "cannot infer type of closure parameter '$0' without a type"),
      ("SecondAfterFlatMap", "loadPage($0)", nil, "cannot convert value of type 'Promise<Page, any Error>' to closure"),
      ("SecondAfterFlatMap", "$0.title", nil, "cannot infer type of closure parameter '$0' without a type annotation"),
      (
        "SecondAfterFlatMap", "note($0)", "note($0.cuont)", "cannot infer type of closure parameter '$0' without a type"
      ),
    ]

    @Test(
      "18.6 the compiler finds a mistake in a step on its line, with little work",
      arguments: Set(steps.map(\.name)).sorted())
    func step(name: String) async throws {
      var source = chain("(on: .utility)", 9) + chain("", 9)
      for (_, right, wrong, error) in Self.steps.filter({ $0.name == name }) {
        source = source.replacing("{ \(right) }", with: "{ \(wrong ?? right) }  // error: \(error)")
      }
      try await tools.withFiles([name: source]) { files in
        try await expectAnnounced(files[0], threshold: "Slips/\(name)")
      }
    }

    @Test(
      "18.6 a long chain without a mistake is little work for the compiler",
      arguments: ["Ten": 10, "Twenty": 20, "Fifty": 50])
    func right(name: String, operators: Int) async throws {
      try await tools.withFiles([name: chain("(on: .utility)", operators) + chain("", operators)]) { files in
        try await expectAnnounced(files[0], threshold: "Right/\(name)")
      }
    }

    /// Returns the source of a chain with the given number of operators.
    private func chain(_ context: String, _ count: Int) -> String {
      let turn = [
        "map_ { $0.title }", "then_ { note($0) }", "map_ { $0.count }", "flatMap_ { loadPage($0 - 1) }",
        "then_ { page in show(page.count * 2) }", "flatMap_ { loadPage($0.count) }",
      ]
      let operators =
        ["map_ { $0.age + 1 }", "flatMap_ { loadPage($0) }"] + (0..<count - 4).map { turn[$0 % turn.count] }
        + ["catch_ { report($0) }", "always_ { show($0.isCancelled ? 0 : 1) }"]
      return "import Overmorrow\nfunc chain\(context.count)(cart: Cart) {\n  loadUser()"
        + operators.map { "\n    .\($0.replacing("_", with: context))" }.joined() + "\n}\n"
    }

    @Test("18.6 every client with a mistake has a test")
    func allTried() throws {
      let clients = try tools.sources(of: "Slips").map { $0.deletingPathExtension().lastPathComponent }
      let tried = thresholds.keys.filter { $0.hasPrefix("Slips/") }
      #expect(Set((clients + Self.steps.map(\.name)).map { "Slips/\($0)" }) == Set(tried).union(["Slips/Pages"]))
    }

    private func expectAnnounced(
      _ client: String, threshold: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let scopes = try await tools.expectAnnounced(
        ["Slips/Pages.swift", client], language: 6, sourceLocation: sourceLocation)
      let threshold = try #require(thresholds[threshold], sourceLocation: sourceLocation)
      // A count of zero means that the compiler does not count scopes, or has renamed the statistic.
      #expect((1...threshold).contains(scopes), sourceLocation: sourceLocation)
    }
  }
#endif
