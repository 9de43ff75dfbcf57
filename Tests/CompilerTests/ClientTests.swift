#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// The diagnostics that users of the library see: compiles `Tests/Clients` against the module of this build.
  @Suite(.serialized, .compiling, .enabled(if: SwiftTools.areEnabled)) struct ClientTests {
    let tools: SwiftTools

    init() throws { tools = try SwiftTools() }

    @Test("18.3 Swift 5 code with classes, Any and closures compiles with the announced warnings")
    func oldCode() async throws {
      try await tools.expectAnnounced(["OldCode"], language: 5)
    }

    @Test(
      "18.1 Swift 6 code that uses the whole public interface compiles without a warning",
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
      try await tools.expectAnnounced(["WholeSurface"], language: 6, options: options)
    }

    @Test("18.1 the client of the whole public interface uses every public declaration")
    func nothingLeftOut() async throws {
      let tree = try await tools.compile(["WholeSurface"], language: 6, ["-dump-ast", "-dump-ast-format", "json"])
      let used = Set(tree.text.split(separator: "\"decl_usr\":\"").map { $0.prefix { $0 != "\"" } })
      let missing = try await tools.publicMembers().filter { !used.contains($0.key[...]) }
      #expect(missing.values.map { $0.joined(separator: ".") }.sorted() == [])
    }

    @Test("operators, whens and functions that start work have a limited number of forms")
    func forms() async throws {
      let operators: Set<Substring> = [
        "then", "catch", "always", "tap", "onCancel", "map", "flatMap", "mapError", "flatMapError", "recover",
        "mapResult", "flatMapResult",
      ]
      let members = try await tools.publicMembers().values
      let forms = members.filter { path in
        path.count == 2 && ["Promise", "BoundPromise"].contains(path[0])
          && operators.contains(path[1].prefix { $0 != "(" })
      }
      #expect(forms.count <= 54)
      #expect(Set(forms.map { $0[1].prefix { $0 != "(" } }) == operators)
      let when = members.filter { path in path.count == 1 && path[0].hasPrefix("when(") }
      #expect((1...14).contains(when.count))
      let starters = members.filter { path in
        ["Promise.retry(", "PromiseLimiter.run(", "PromiseCache.promise(", "LazyPromise.init("]
          .contains { path.joined(separator: ".").hasPrefix($0) }
          || path[0].hasPrefix("when(fulfilled:maxConcurrent:")
          || ["(on:", "(", "(priority:", "(priority:taskExecutor:"].contains { path.last == "init\($0)fileID:line:_:)" }
      }
      #expect((1...21).contains(starters.count))
    }

    @Test(
      "18.2 Swift 6 code that would race does not compile, each for its own reason",
      arguments: ["MainActorState.swift", "ActorState.swift", "NonSendableValue.swift"])
    func rejected(file: String) async throws {
      try await tools.expectAnnounced(["Rejected/\(file)"], language: 6)
    }
  }

  extension SwiftTools {
    /// Returns the public members, cases and functions of `Overmorrow` and `OvermorrowFlow`: their symbol identifiers,
    /// and their names with the names of the enclosing types. Unavailable members, which only name their replacement,
    /// are left out.
    fileprivate func publicMembers() async throws -> [String: [String]] {
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
          struct Availability: Decodable { let isUnconditionallyUnavailable: Bool? }
          let pathComponents: [String]
          let availability: [Availability]?
        }
        let symbols: [Symbol]
      }
      let information = try await run(["swiftc", "-print-target-info"]).text
      let target = try JSONDecoder().decode(Target.self, from: Data(information.utf8)).target.triple
      var options = ["-target", target] + imports
      #if os(macOS)
        let path = try await run(["--show-sdk-path"]).text
        options += ["-sdk", path.trimmingCharacters(in: .whitespacesAndNewlines)]
      #endif
      var symbols: [Graph.Symbol] = []
      for module in ["Overmorrow", "OvermorrowFlow"] {
        let output = try await run(
          [
            "swift", "symbolgraph-extract", "-minimum-access-level", "public", "-output-dir", ".", "-module-name",
            module,
          ]
            + options
        ) { folder in
          // The second graph of a module contains its extensions of types of the other module.
          for name in [module, "\(module)@Overmorrow"] {
            guard let data = try? Data(contentsOf: folder.appending(path: "\(name).symbols.json")) else { continue }
            symbols += try JSONDecoder().decode(Graph.self, from: data).symbols
          }
        }
        guard output.status == 0 else { throw Failure(description: output.text) }
      }
      let kinds = [
        "init", "method", "type.method", "property", "type.property", "enum.case", "func", "func.op", "subscript",
        "type.subscript",
      ].map { "swift.\($0)" }
      symbols.removeAll { symbol in
        // Without the members that the standard library adds to every type that conforms to its protocols.
        !kinds.contains(symbol.kind.identifier) || symbol.identifier.precise.contains("::SYNTHESIZED::")
          || (symbol.availability ?? []).contains { $0.isUnconditionallyUnavailable == true }
      }
      guard !symbols.isEmpty else { throw Failure(description: "the modules have no public symbol") }
      let members = symbols.map { ($0.identifier.precise, $0.pathComponents) }
      return Dictionary(members) { first, _ in first }
    }
  }
#endif
