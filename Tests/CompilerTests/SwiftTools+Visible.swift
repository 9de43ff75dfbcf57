#if os(Linux)
  import Foundation
  import Testing

  extension SwiftTools {
    /// Compiles a client that imports one module of this package, and expects that the client sees only the modules of
    /// this package and some modules of the system.
    ///
    /// The compiler loads all modules that an imported module uses, even those that it imports as `internal`. Without
    /// the upcoming feature `MemberImportVisibility`, the client sees the members of all loaded modules. Such a member
    /// makes correct code of the client ambiguous, or gives it another meaning.
    ///
    /// - Parameters:
    ///   - isOwn: Returns whether a module belongs to this package.
    ///   - system: The modules of the system that the client may see, with the modules that they use.
    ///   - options: Further options of the compiler.
    func expectVisible(
      in module: String, isOwn: (String) -> Bool, system: [String], options: [String] = [],
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      // With the modules of the toolchain that have such members, the second function does not compile.
      let client = """
        import \(module)
        func apply<T>(_ f: (T) -> Int?) {}
        func numbers(_ texts: [Substring]) -> [Int] {
          apply { Int($0) }
          return texts.compactMap { Int($0) }
        }
        """
      // The engine uses the C library, which adds no member to types of Swift.
      let all = system + ["Glibc", "SwiftOnoneSupport"]
      let allowed = try await loadedModules(all.map { "import \($0)\n" }.joined())
      let loaded = try await loadedModules(client, options).filter { !isOwn($0) }
      let leaked = loaded.subtracting(allowed).sorted()
      #expect(leaked == [], "a client of \(module) sees \(leaked)", sourceLocation: sourceLocation)
      _ = try await loadedModules(client, ["-enable-upcoming-feature", "MemberImportVisibility"] + options)
    }

    /// Compiles a client, and returns the names of the Swift modules that the compiler has loaded.
    private func loadedModules(_ client: String, _ options: [String] = []) async throws -> Set<String> {
      struct Trace: Decodable {
        struct Module: Decodable { let name: String }
        let swiftmodulesDetailedInfo: [Module]
      }
      var modules: Set<String> = []
      let output = try await withFiles(["Client": client]) { files in
        try await compile(
          files, language: 6, ["-typecheck", "-emit-loaded-module-trace-path", "trace.json"] + options
        ) { folder in
          guard let data = try? Data(contentsOf: folder.appending(path: "trace.json")) else { return }
          modules = Set(try JSONDecoder().decode(Trace.self, from: data).swiftmodulesDetailedInfo.map(\.name))
        }
      }
      guard output.status == 0, !modules.isEmpty else { throw Failure(description: "\(client)\n\(output.text)") }
      return modules
    }
  }
#endif
