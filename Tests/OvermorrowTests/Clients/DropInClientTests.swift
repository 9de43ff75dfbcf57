#if os(macOS) || os(Linux)
  import Testing

  /// What the compiler says to those who use the drop-in modules: nothing that it does not say of the originals.
  extension ClientTests {
    @Test(
      "18.3 Swift 5 code with a drop-in module is warned of nothing but what the original warns of, whatever is checked",
      arguments: ["PromiseQ", "FranticApparatus", "ShallowPromises"],
      [[], ["-strict-concurrency=targeted"], ["-strict-concurrency=complete"]])
    func dropIn(client: String, options: [String]) async throws {
      try await tools.expectAnnounced([client], language: 5, options: options)
    }
  }
#endif
