#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  extension SwiftTools {
    /// Compiles clients, and compares the compiler's diagnostics with those that the comments announce.
    ///
    /// The clients are compiled and not only type-checked, because the compiler looks for values that are sent to another
    /// isolation domain only in code that has no other error.
    ///
    /// - Parameter ignored: The beginning of warnings that neither have to be announced nor count as unexpected.
    /// - Returns: The number of constraint scopes that the type checker opened: a measure of its work that does not
    ///   depend on the machine or its load.
    @discardableResult
    func expectAnnounced(
      _ clients: [String], language: Int, options: [String] = [], ignoring ignored: String? = nil,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Int {
      var scopes = 0
      let output = try await compile(
        clients, language: language, ["-emit-sil", "-wmo", "-o", "client.sil", "-stats-output-dir", "."] + options
      ) { folder in scopes = try constraintScopes(in: folder) }
      let announced = try clients.flatMap { try sources(of: $0) }.flatMap { file in
        ClientDiagnostic.announced(by: try String(contentsOf: file, encoding: .utf8), file: file.lastPathComponent)
      }
      let found = ClientDiagnostic.parse(output: output.text).filter { diagnostic in
        diagnostic.kind == .error || !(ignored.map { diagnostic.text.hasPrefix($0) } ?? false)
      }
      let unexpected = found.filter { diagnostic in !announced.contains { diagnostic.matches($0) } }
      let missing = announced.filter { expected in !found.contains { $0.matches(expected) } }
      #expect(unexpected.isEmpty, "unexpected", sourceLocation: sourceLocation)
      #expect(missing.isEmpty, "missing", sourceLocation: sourceLocation)
      let isToCompile = !announced.contains { $0.kind == .error }
      #expect((output.status == 0) == isToCompile, "\(output.text)", sourceLocation: sourceLocation)
      return scopes
    }

    /// Returns the sum of the counts of all compiler processes.
    private func constraintScopes(in folder: URL) throws -> Int {
      try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "json" }
        .reduce(0) { sum, file in
          let counters = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
          return sum + (counters?["Sema.NumConstraintScopes"] as? Int ?? 0)
        }
    }
  }
#endif
