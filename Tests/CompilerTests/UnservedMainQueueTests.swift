#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// The report of a program that ends while callbacks wait for the main queue. The programs are those in
  /// `Tests/Clients/Endings`. They are built here, because the process of a test serves its main queue.
  @Suite(.serialized, .compiling, .enabled(if: SwiftTools.areEnabled && isLevelUnset)) struct UnservedMainQueueTests {
    private let tools: SwiftTools

    init() throws { tools = try SwiftTools() }

    @Test("15.32 a program that ends with callbacks for an unserved main queue reports them")
    func unserved() async throws {
      let end =
        "waited for the main queue, which nothing served. End main with dispatchMain(), or await a promise there.\n"
      try await expect(
        [
          "callbacks": "7: the program ended while 2 callbacks, the first of this promise, ",
          "body": "13: the program ended while a callback of this promise ",
        ].mapValues { "Overmorrow: Client/main.swift:\($0)\(end)" }, from: "Queue")
    }

    @Test("15.32 a program that served its main queue, or never needed it, prints nothing")
    func served() async throws {
      try await expect(
        [
          "nothingUnresolved": "2\n", "otherQueue": "", "dispatchMain": "", "exitInCallback": "",
          "runLoop": "", "otherThread": "",
        ], from: "Queue")
    }

    @Test("15.32 a program whose main is async prints nothing")
    func task() async throws {
      try await expect(["suspended": "", "unsuspended": ""], from: "Task")
    }

    @Test("15.32 at the levels off and report, an unserved main queue is not reported")
    func level() async throws {
      try await expect(["callbacks": ""], from: "Queue", levels: ["off", "report"])
    }

    /// Builds a program, runs it with each ending, and compares its output.
    private func expect(
      _ outputs: [String: String], from client: String, levels: [String] = [""],
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let source = try String(contentsOf: tools.clients.appending(path: "Endings/\(client).swift"), encoding: .utf8)
      try await tools.withFiles(["main": source]) { files in
        let program = try await tools.link(files[0])
        for level in levels {
          for (ending, expected) in outputs {
            let output = try await tools.run(["env", "OVERMORROW_DIAGNOSTICS=\(level)", program, ending])
            #expect(output.status == 0, "\(ending)", sourceLocation: sourceLocation)
            #expect(output.text == expected, "\(ending)", sourceLocation: sourceLocation)
          }
        }
      }
    }
  }

  extension SwiftTools {
    /// Builds a program of one file, beside that file, with the library that this test was built with.
    func link(_ file: String, _ options: [String] = []) async throws -> String {
      let products = modules.deletingLastPathComponent()
      let objects = [
        "Overmorrow", "OvermorrowDiagnostics", "OvermorrowSymbols", "OvermorrowEngine", "COvermorrowSystem",
      ].flatMap { module in
        // An object file of a source that no longer exists is left out.
        let sources = FileManager.default.enumerator(atPath: clients.appending(path: "../../Sources/\(module)").path)
        return (sources?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }
          .map { products.appending(path: "\(module).build/\(URL(filePath: $0).lastPathComponent).o").path }
      }
      let program = URL(filePath: file).deletingPathExtension().path
      let output = try await compile([file], language: 6, objects + options + ["-o", program])
      guard output.status == 0 else { throw Failure(description: output.text) }
      return program
    }
  }
#endif
