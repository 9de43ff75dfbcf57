#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// The diagnostics that users of the drop-in modules see: compiles `DropIns/Tests/Clients` against the modules of this
  /// build.
  @Suite(.serialized, .compiling, .enabled(if: SwiftTools.areEnabled)) struct DropInClientTests {
    private static let modules = [
      "FranticApparatus", "PMKFoundation", "PromiseKit", "PromiseQ", "ShallowPromises", "Tomorrowland",
    ]
    let tools: SwiftTools

    init() throws { tools = try SwiftTools() }

    @Test(
      "18.3 Swift 5 code with a drop-in module has only the announced warnings",
      arguments: ["PromiseKit", "PromiseQ", "FranticApparatus", "ShallowPromises"],
      [[], ["-strict-concurrency=targeted"], ["-strict-concurrency=complete"]])
    func dropIn(client: String, options: [String]) async throws {
      try await tools.expectAnnounced([client], language: 5, options: options)
    }

    #if os(Linux)
      @Test(
        "18.8 a client of a drop-in module sees no module that it uses internally",
        arguments: modules)
      func visible(module: String) async throws {
        try await tools.expectVisible(
          in: module, isOwn: { name in (Self.modules + ["Overmorrow"]).contains { name.hasPrefix($0) } },
          system: ["Dispatch", "Foundation", "FoundationNetworking"])
      }
    #endif

    @Test("18.3 in Swift 6 mode, PromiseKit closures on a queue cause only warnings")
    func queues() async throws {
      let client = tools.clients.appending(path: "PromiseKit/Queues.swift")
      let source =
        try String(contentsOf: client, encoding: .utf8) + """
          class Model { var number = 0 }
          extension Service {
            func work() -> Promise<Int> {
              queue.async(.promise) { self.count }  // Swift 6 warning: capture of 'self' with non-Sendable type
            }
          }
          """
      try await tools.withFiles(["Queues": source.replacing("// Swift 6 ", with: "// ")]) {
        try await tools.expectAnnounced($0, language: 6)
      }
    }

    @Test("18.3 PromiseKit's when(fulfilled:) returns typed values for an array of one type", arguments: [5, 6])
    func arrays(language: Int) async throws {
      try await tools.expectAnnounced(["PromiseKit/Arrays.swift"], language: language)
    }

    @Test("18.3 in Swift 5 mode, a PromiseKit closure in a Sendable closure causes no warning")
    func queuesInsideSendableClosures() async throws {
      let source = """
        import Dispatch
        import PromiseKit
        class Batch {
          let queue = DispatchQueue(label: "batch")
          var pending: Promise<Void>?
          func trigger() {}
          func wait(for promise: Promise<Int>) {
            queue.async { self.pending = promise.done(on: self.queue) { _ in self.trigger() } }
            Task { self.pending = promise.done(on: self.queue) { _ in self.trigger() } }
            _ = queue.async(.promise, execute: trigger).map(on: nil) { self.trigger() }
          }
        }
        """
      try await tools.withFiles(["Batch": source]) { try await tools.expectAnnounced($0, language: 5) }
    }

    @Test(
      "18.6 a PromiseKit chain with closures of several statements is little work for the compiler", arguments: [5, 6])
    func chain(language: Int) async throws {
      let scopes = try await tools.expectAnnounced(["PromiseKit/Chain.swift"], language: language)
      #expect((1...400).contains(scopes))
    }
  }
#endif
