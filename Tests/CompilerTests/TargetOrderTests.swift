#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// The order of the targets: the engine is below the core, and the compiler refuses a use of the core in the engine.
  @Suite(.serialized, .compiling, .enabled(if: SwiftTools.areEnabled)) struct TargetOrderTests {
    private let tools: SwiftTools

    init() throws { tools = try SwiftTools() }

    @Test("a file that uses only the engine compiles as a part of it")
    func fits() async throws {
      let output = try await compile("func arrow(_ core: CoreRef) {}")
      #expect(output.status == 0, "\(output.text)")
    }

    @Test(
      "a file of the engine that names or imports the core does not compile",
      arguments: [
        ("func arrow(_ promise: Promise<Int, Never>) {}", "error: cannot find type 'Promise' in scope"),
        (
          "internal import Overmorrow\n\nfunc arrow(_ core: CoreRef) {}",
          "error: circular dependency between modules 'OvermorrowEngine' and 'Overmorrow'"
        ),
      ])
    func refused(source: String, error: String) async throws {
      let output = try await compile(source)
      #expect(output.status != 0)
      #expect(output.text.contains(error), "\(output.text)")
    }

    /// Type-checks the declarations of the engine together with one more file.
    private func compile(_ source: String) async throws -> SwiftTools.Output {
      let folder = tools.clients.appending(path: "../../Sources/OvermorrowEngine")
      let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
      let engine = names.filter { $0.hasSuffix(".swift") }.sorted().map { folder.appending(path: $0).path }
      #expect(!engine.isEmpty)
      var options = ["-typecheck", "-module-name", "OvermorrowEngine", "-package-name", "overmorrow"]
      options += ["-parse-as-library", "-strict-memory-safety", "-Xfrontend", "-experimental-skip-all-function-bodies"]
      for name in ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"] {
        options += ["-enable-upcoming-feature", name]
      }
      for name in ["BuiltinModule", "RawLayout"] { options += ["-enable-experimental-feature", name] }
      return try await tools.withFiles(["Arrow": source]) { files in
        try await tools.compile(engine + files, language: 6, options)
      }
    }
  }
#endif
