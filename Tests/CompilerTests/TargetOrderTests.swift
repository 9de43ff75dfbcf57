#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// The order of the targets: the engine is below the diagnostics, which are below the core. The compiler refuses a
  /// use of the core in them, and of the diagnostics in the engine.
  @Suite(.serialized, .compiling, .enabled(if: SwiftTools.areEnabled)) struct TargetOrderTests {
    private let tools: SwiftTools

    init() throws { tools = try SwiftTools() }

    @Test(
      "a file that uses only lower targets compiles as a part of its target",
      arguments: [
        ("OvermorrowEngine", "func arrow(_ core: CoreRef) {}"),
        (
          "OvermorrowDiagnostics",
          "internal import OvermorrowEngine\n\nfunc arrow(_ core: CoreRef, _ note: PromiseNote) {}"
        ),
      ])
    func fits(target: String, source: String) async throws {
      let output = try await compile(source, in: target)
      #expect(output.status == 0, "\(output.text)")
    }

    @Test(
      "a file that names or imports a higher target does not compile",
      arguments: [
        ("OvermorrowEngine", "Promise<Int, Never>", nil), ("OvermorrowEngine", "PromiseNote", nil),
        ("OvermorrowDiagnostics", "PromiseDiagnostic", nil), ("OvermorrowEngine", "Int", "OvermorrowDiagnostics"),
        ("OvermorrowEngine", "Int", "Overmorrow"), ("OvermorrowDiagnostics", "Int", "Overmorrow"),
      ] as [(String, String, String?)])
    func refused(target: String, type: String, module: String?) async throws {
      let source = "\(module.map { "internal import \($0)\n\n" } ?? "")func arrow(_ value: \(type)) {}"
      let error =
        module != nil
        ? "error: circular dependency between modules '\(target)'"
        : "error: cannot find type '\(type.prefix { $0 != "<" })' in scope"
      let output = try await compile(source, in: target)
      #expect(output.status != 0)
      #expect(output.text.contains(error), "\(output.text)")
    }

    /// Type-checks the declarations of a target together with one more file.
    private func compile(_ source: String, in target: String) async throws -> SwiftTools.Output {
      let root = tools.clients.appending(path: "../..").standardizedFileURL
      let folder = root.appending(path: "Sources/\(target)")
      // The package manager names the package after its folder. Another name would not see what is `package`.
      let package = root.lastPathComponent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
      let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
      let files = names.filter { $0.hasSuffix(".swift") }.sorted().map { folder.appending(path: $0).path }
      #expect(!files.isEmpty)
      var options = ["-typecheck", "-module-name", target, "-package-name", String(package)]
      options += ["-parse-as-library", "-strict-memory-safety", "-Xfrontend", "-experimental-skip-all-function-bodies"]
      for name in ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"] {
        options += ["-enable-upcoming-feature", name]
      }
      for name in ["BuiltinModule", "RawLayout"] { options += ["-enable-experimental-feature", name] }
      return try await tools.withFiles(["Arrow": source]) { more in
        try await tools.compile(files + more, language: 6, options)
      }
    }
  }
#endif
