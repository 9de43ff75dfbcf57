#if os(macOS) || os(Linux)
  import Foundation
  @testable import Overmorrow
  @testable import OvermorrowDiagnostics
  import Testing

  /// The messages that a program prints about its mistakes, and the settings that silence them. Each test runs in its
  /// own process.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct PrintingTests {
    private typealias Subject = Promise<Int, Reason>

    private static func lines(_ result: ExitTest.Result?) -> [String] {
      ownLines(in: result?.standardErrorContent ?? [])
    }

    private static let firstLine = #line + 3

    private static func makeMistakes() {
      let (promise, resolver) = Subject.makeWithResolver()
      _ = consume resolver
      withExtendedLifetime(promise) {}
      _ = Subject(rejected: "no")
    }

    @Test("15.14 by default, a debug build prints each mistake once, a release build nothing")
    func standard() async {
      let first = Self.firstLine
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        for _ in 0..<3 { Self.makeMistakes() }
      }
      let place = "DiagnosticsTests/PrintingTests.swift:"
      #if DEBUG
        #expect(
          Self.lines(result) == [
            "Overmorrow: \(place)\(first): the resolver of this promise was released before it had resolved the "
              + "promise, which was then cancelled. Call fulfill, reject or cancel on every path, and keep the resolver until then.",
            "Overmorrow: \(place)\(first + 3): this promise was rejected, and no code read the error: "
              + "\(Reason(stringLiteral: "no")). End its chain with catch, or with always { _ in } to ignore the error.",
          ])
      #else
        #expect(Self.lines(result) == [])
      #endif
    }

    /// The setting of a program: its environment, and whether it switches printing on.
    private struct Setting: Codable {
      var environment: String?
      var isOn: Bool
    }

    @Test(
      "15.14 15.15 the level switches printing on or off, and the environment takes precedence",
      arguments: [nil, "off", "print"] as [String?], [false, true])
    func level(environment: String?, isOn: Bool) async throws {
      let result = try await ExitArgument.passing(Setting(environment: environment, isOn: isOn)) {
        await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
          let setting = try ExitArgument.taken(Setting.self)
          if let environment = setting.environment { unsafe setenv("OVERMORROW_DIAGNOSTICS", environment, 1) }
          PromiseDiagnostics.level = setting.isOn ? .print : .off
          Self.makeMistakes()
          #expect("\(PromiseDiagnostics.level)" == setting.environment ?? (setting.isOn ? "print" : "off"))
        }
      }
      #expect(Self.lines(result).count == (environment == "print" || environment == nil && isOn ? 2 : 0))
    }

    @Test("15.14 15.15 at the level trap, a mistake stops the program with the message", arguments: [false, true])
    func trap(byEnvironment: Bool) async throws {
      let line = Self.firstLine
      let result = try await ExitArgument.passing(byEnvironment) {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let byEnvironment = try ExitArgument.taken(Bool.self)
          if byEnvironment {
            unsafe setenv("OVERMORROW_DIAGNOSTICS", "trap", 1)
          } else {
            PromiseDiagnostics.level = .trap
          }
          Self.makeMistakes()
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("PrintingTests.swift:\(line): the resolver of this promise was released"))
    }

    @Test("15.9 a handler that was read 100,000 times needs no more stack")
    func handlerReads() async {
      await #expect(processExitsWith: .success) {
        let calls = Counter()
        try await onOwnThread("a handler that was read often") {
          PromiseDiagnostics.handler = { _ in calls.increment() }
          for _ in 0..<100_000 { _ = PromiseDiagnostics.handler }
          PromiseDiagnostics.handler?(.neverResolved(origin: nil))
        }
        #expect(calls.count == 1)
      }
    }

    @Test("15.15 an invalid value of the environment variable is reported with the valid ones")
    func misspelt() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        unsafe setenv("OVERMORROW_DIAGNOSTICS", "pritn", 1)
        _ = Subject(fulfilled: 1)
        _ = Subject(fulfilled: 2)
        #expect(ReportLevel(PromiseDiagnostics.level) == .initial)
      }
      #expect(
        Self.lines(result) == [
          "Overmorrow: OVERMORROW_DIAGNOSTICS is ignored: \"pritn\" is none of off, report, print, trap."
        ])
    }

    @Test("15.14 a mistake is printed once per place, and at most a hundred are")
    func limited() {
      let printed = Recorder<String>()
      let printer = DiagnosticsPrinter { printed.record($0) }
      for round in 0..<3 {
        for line in 0..<200 {
          printer.print(.failureUnobserved(origin: "A.swift:\(line)", error: "\(round)"))
          if line == 0 { printer.print(.resolverDropped(origin: "A.swift:0")) }
        }
      }
      #expect(printed.entries.count == DiagnosticsPrinter.limit + 1)
      #expect(printed.entries.prefix(2).map { $0.hasPrefix("Overmorrow: A.swift:0: ") } == [true, true])
      #expect(printed.entries.last == "Overmorrow: this was mistake 100. Further mistakes are not printed.")
    }

    @Test("15.14 the further reports of one helper's promises are counted")
    func counted() async {
      let first = Self.firstLine
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        PromiseDiagnostics.level = .print
        for _ in 0..<15 { Self.makeMistakes() }
      }
      let found = Self.lines(result)
      let starts = [first, first + 3].map {
        "Overmorrow: DiagnosticsTests/PrintingTests.swift:\($0): and 9 more like it. "
      }
      #expect(found.count == 4 && zip(found.suffix(2), starts).allSatisfy { $0.hasPrefix($1) }, "\(found)")
    }

    @Test("15.14 15.31 the reports of one place are counted together, whatever the names are")
    func repetitions() {
      let printed = Recorder<String>()
      let printer = DiagnosticsPrinter { printed.record($0) }
      for number in 1...1234 {
        printer.print(.failureUnobserved(origin: "A.swift:1 \"order \(number)\"", error: "\(number)"))
      }
      printer.print(.failureUnobserved(origin: "B.swift:1", error: "1"))
      let texts = printed.entries.map {
        $0.replacing(". End its chain with catch, or with always { _ in } to ignore the error", with: "")
      }
      #expect(
        texts == [
          "Overmorrow: A.swift:1: this promise \"order 1\" was rejected, and no code read the error: 1.",
          "Overmorrow: A.swift:1: and 9 more like it. The last one: this promise \"order 10\" was rejected, and no code read the error: 10.",
          "Overmorrow: A.swift:1: and 99 more like it. The last one: this promise \"order 100\" was rejected, and no code read the error: 100.",
          "Overmorrow: A.swift:1: and 999 more like it. The last one: this promise \"order 1000\" was rejected, and no code read the error: 1000.",
          "Overmorrow: B.swift:1: this promise was rejected, and no code read the error: 1.",
        ])
    }

    @Test("15.14 each mistake is one line that begins with its place")
    func wording() {
      let all: [Finding] = [
        .resolvedWithItself(origin: "A/B.swift:7"), .resolverDropped(origin: "A/B.swift:7"),
        .resolvedTwice(origin: "A/B.swift:7", isRejection: true),
        .resolvedTwice(origin: "A/B.swift:7", isRejection: false),
        .failureUnobserved(origin: "A/B.swift:7", error: "two\nlines"), .failureUnobserved(origin: "A/B.swift:7"),
      ]
      for finding in all {
        #expect(finding.line.hasPrefix("Overmorrow: A/B.swift:7: th"))
        #expect(finding.line.hasSuffix("."))
        #expect(!finding.line.contains("\n"))
        #expect(finding.description.hasSuffix("made at A/B.swift:7"))
      }
      #expect(Finding.resolverDropped().line.hasPrefix("Overmorrow: the resolver"))
      #expect(
        Finding.deadlock(origin: "A/B.swift:7", cycle: ["the job a waits for b", "b waits for the job a"])
          .line
          == "Overmorrow: A/B.swift:7: this promise can never resolve, because it waits for itself. The job a waits for "
          + "b; b waits for the job a.")
      #expect(Finding.invalidArgument("a: 0 counts as 1").line == "Overmorrow: a: 0 counts as 1.")
    }
  }
#endif
