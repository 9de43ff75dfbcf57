#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  /// Compiles the examples of the guide to compiler messages as they are printed.
  extension SlipClientTests {
    @Test("18.7 the guide quotes the compiler's messages, and the code that it recommends compiles")
    func messages() async throws {
      let guide = tools.clients.appending(path: "../../Sources/Overmorrow/Overmorrow.docc/CompilerMessages.md")
      let text = try String(contentsOf: guide, encoding: .utf8)
      let imports = "import Dispatch\nimport Overmorrow\nimport OvermorrowFlow\n"
      let parts = text.components(separatedBy: "\n### ")
      var wrong = ["Declarations": imports + (try #require(samples(of: parts[0]).first))]
      var right = wrong
      var slow = wrong
      for (number, part) in parts.enumerated().dropFirst() {
        let samples = samples(of: part)
        try #require(samples.count == 2, "a mistake, and what to write: \(part)")
        for (sample, place) in zip(samples, ["Mistake", "Cure"]) {
          let name = "\(place)\(number)"
          // A sample about imports has its own.
          let body = sample.trimmingPrefix(/(import \w+\n)+/)
          let own = body.count == sample.count ? imports : String(sample.dropLast(body.count))
          let source = "\(own)func example\(name)() async throws {\n\(body)}\n"
          if ClientDiagnostic.announced(by: sample, file: name).isEmpty {
            right[name] = source
          } else if sample.contains("in reasonable time") {
            slow[name] = source
          } else {
            wrong[name] = source
          }
        }
        #expect(wrong.count + slow.count == number + 2, "a mistake has a message, and what to write has none: \(part)")
      }
      #expect(wrong.count > 20)

      let scopes = try await tools.withFiles(wrong) {
        try await tools.expectAnnounced($0, language: 6, options: ["-wmo"])
      }
      #expect((1...(try #require(thresholds["CompilerMessages"]))).contains(scopes), "\(scopes)")
      // The compiler gives up after about a million steps of work, which would hide the work for the other samples.
      #expect(slow.count == 2)
      _ = try await tools.withFiles(slow) { try await tools.expectAnnounced($0, language: 6, options: ["-wmo"]) }
      // Compiled, not only type-checked, because some mistakes are found later.
      let output = try await tools.withFiles(right) {
        try await tools.compile($0, language: 6, ["-emit-sil", "-wmo", "-o", "right.sil"])
      }
      #expect(output.status == 0 && ClientDiagnostic.parse(output: output.text).isEmpty, "\(output.text)")
    }

    /// Returns the Swift code blocks of a Markdown text.
    private func samples(of text: String) -> [String] {
      text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }
  }
#endif
