#if os(macOS) || os(Linux)
  import Testing

  /// What the compiler says to those who use the drop-in modules: nothing that it does not say of the originals.
  extension ClientTests {
    @Test(
      "18.3 Swift 5 code with a drop-in module is warned of nothing but what the original warns of, whatever is checked",
      arguments: ["PromiseKit", "PromiseQ", "FranticApparatus", "ShallowPromises"],
      [[], ["-strict-concurrency=targeted"], ["-strict-concurrency=complete"]])
    func dropIn(client: String, options: [String]) async throws {
      try await tools.expectAnnounced([client], language: 5, options: options)
    }

    @Test("18.6 a chain of PromiseKit with closures of several statements is no work", arguments: [5, 6])
    func chain(language: Int) async throws {
      let scopes = try await tools.expectAnnounced(["PromiseKit/Chain.swift"], language: language)
      #expect((1...400).contains(scopes))
    }
  }
#endif
