#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// What the compiler says to those who use the library: to `Tests/Clients`, against the module of this very build.
  @Suite(.serialized, .heavy) struct ClientTests {
    private let tools: SwiftTools

    init() throws { tools = try SwiftTools() }

    /// Compiles a client, and compares what the compiler says with what the client's comments announce.
    func expectAnnounced(
      _ client: String, language: Int, options: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let output = try await tools.compile(client, language: language, ["-typecheck"] + options)
      let announced = try tools.sources(of: client).flatMap { file in
        ClientDiagnostic.announced(
          by: try String(contentsOf: file, encoding: .utf8), file: file.lastPathComponent)
      }
      let found = ClientDiagnostic.parse(output: output.text)
      let unexpected = found.filter { diagnostic in !announced.contains { diagnostic.matches($0) } }
      let missing = announced.filter { expected in !found.contains { $0.matches(expected) } }
      #expect(unexpected.isEmpty, "unexpected", sourceLocation: sourceLocation)
      #expect(missing.isEmpty, "missing", sourceLocation: sourceLocation)
      let isToCompile = !announced.contains { $0.kind == .error }
      #expect((output.status == 0) == isToCompile, "\(output.text)", sourceLocation: sourceLocation)
    }

    @Test(
      "Swift 5 code with classes, Any and closures compiles, and is warned of callbacks that are not @Sendable only")
    func oldCode() async throws {
      try await expectAnnounced("OldCode", language: 5)
    }

    @Test(
      "Swift 6 code that uses the whole public surface compiles without a warning",
      arguments: [
        [],
        ["-default-isolation", "MainActor"],
        ["-strict-memory-safety"]
          + [
            "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
            "InferIsolatedConformances", "ImmutableWeakCaptures",
          ].flatMap { ["-enable-upcoming-feature", $0] },
      ])
    func wholeSurface(options: [String]) async throws {
      try await expectAnnounced("WholeSurface", language: 6, options: options)
    }

    @Test("the client of the whole public surface leaves nothing public out")
    func nothingLeftOut() async throws {
      let tree = try await tools.compile("WholeSurface", language: 6, ["-dump-ast", "-dump-ast-format", "json"])
      let used = Set(tree.text.split(separator: "\"decl_usr\":\"").map { $0.prefix { $0 != "\"" } })
      let missing = try await tools.publicMembers().filter { !used.contains($0.key[...]) }
      #expect(missing.values.sorted() == [])
    }

    @Test(
      "Swift 6 code that would race does not compile, each for its own reason",
      arguments: [
        "NonSendableCapture.swift", "MainActorState.swift", "ActorState.swift", "NonSendableValue.swift",
      ])
    func rejected(file: String) async throws {
      try await expectAnnounced("Rejected/\(file)", language: 6)
    }
  }

  extension SwiftTools {
    /// The members, cases and functions that the module offers: their identifiers in the compiler, and their names.
    fileprivate func publicMembers() async throws -> [String: String] {
      struct Target: Decodable {
        struct Triple: Decodable { let triple: String }
        let target: Triple
      }
      struct Graph: Decodable {
        struct Symbol: Decodable {
          struct Kind: Decodable { let identifier: String }
          struct Identifier: Decodable { let precise: String }
          let kind: Kind
          let identifier: Identifier
          let pathComponents: [String]
        }
        let symbols: [Symbol]
      }
      let information = try await run(["swiftc", "-print-target-info"]).text
      let target = try JSONDecoder().decode(Target.self, from: Data(information.utf8)).target.triple
      var options = ["-module-name", "Overmorrow", "-I", modules.path, "-target", target]
      #if os(macOS)
        let path = try await run(["--show-sdk-path"]).text
        options += ["-sdk", path.trimmingCharacters(in: .whitespacesAndNewlines)]
      #endif
      var graph = Data()
      let output = try await run(
        ["swift", "symbolgraph-extract", "-minimum-access-level", "public", "-output-dir", "."] + options
      ) { folder in
        graph = try Data(contentsOf: folder.appending(path: "Overmorrow.symbols.json"))
      }
      guard output.status == 0 else { throw Failure(description: output.text) }
      let kinds = [
        "init", "method", "type.method", "property", "type.property", "enum.case", "func", "func.op", "subscript",
        "type.subscript",
      ].map { "swift.\($0)" }
      let symbols = try JSONDecoder().decode(Graph.self, from: graph).symbols.filter { symbol in
        // Left out: what the standard library's extensions add by themselves to a type that conforms to its protocols.
        kinds.contains(symbol.kind.identifier) && !symbol.identifier.precise.contains("::SYNTHESIZED::")
      }
      guard !symbols.isEmpty else { throw Failure(description: "no public symbol at all: \(output.text)") }
      let members = symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) }
      return Dictionary(members) { first, _ in first }
    }
  }
#endif
