#if os(macOS) || os(Linux)
  import Dispatch
  import Foundation
  import OvermorrowTesting
  import TestSupport
  import Testing

  @testable import Overmorrow
  @testable import OvermorrowDiagnostics
  @testable import OvermorrowEngine

  /// The trails of errors of promises that are recorded and not watched. Each test runs in its own process, because the
  /// level and the switch are global.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct RecordedTrailTests {
    typealias Subject = TrailPlan.Subject

    static func begin() {
      PromiseDiagnostics.level = .off
      PromiseDiagnostics.recordsTrails = true
    }

    /// Returns the trail that a callback for the error of `promise` gets.
    static func trail(of promise: Subject) async -> PromiseTrail? {
      let seen = Recorder<PromiseTrail?>()
      promise.catch(on: .immediate) { seen.record(PromiseDiagnostics.trail(of: $0)) }
      _ = await promise.outcome()
      await until("the callback has run") { !seen.entries.isEmpty }
      return seen.entries.first ?? nil
    }

    static func place(_ line: Int) -> String { "DiagnosticsTests/RecordedTrailTests.swift:\(line)" }

    @Test("15.48 the recorded trails of 1,000 random chains are the models' ways")
    func chains() async {
      await #expect(processExitsWith: .success) {
        Self.begin()
        var errors = 0
        for seed in 0..<1_000 {
          var random = SeededGenerator(seed: UInt64(seed))
          let plan = TrailPlan(&random, steps: 1...10, depth: 1)
          let chain = plan.build(seed)
          guard let expected = plan.expected.way else {
            #expect(await chain.outcome()?.value != nil, "seed \(seed)")
            continue
          }
          errors += 1
          let trail = await Self.trail(of: chain)
          Self.check(trail, equals: expected, seed)
          // Elsewhere, the error's type and description find the same trail.
          do { _ = try await chain.value } catch {
            #expect(PromiseDiagnostics.trail(of: error)?.entries.count == expected.count, "seed \(seed)")
          }
        }
        #expect(errors > 300)
      }
    }

    @Test("15.48 by default, and after recording is switched off, an error has no trail")
    func off() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .off
        #expect(!PromiseDiagnostics.recordsTrails)
        #expect(await Self.trail(of: Subject(rejected: Fault(text: "a"))) == nil)
        PromiseDiagnostics.recordsTrails = true
        #expect(PromiseDiagnostics.recordsTrails)
        #expect(await Self.trail(of: Subject(rejected: Fault(text: "b"))) != nil)
        PromiseDiagnostics.recordsTrails = false
        #expect(await Self.trail(of: Subject(rejected: Fault(text: "c"))) == nil)
      }
    }

    @Test("15.48 a promise that is watched has its note, also while trails are recorded")
    func watched() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .report
        PromiseDiagnostics.recordsTrails = true
        let promise = Subject(rejected: Fault(text: "a")).named("order")
        let trail = await Self.trail(of: promise.map(on: .utility) { $0 })
        #expect(trail?.entries.map(\.name) == ["order", "order"])
        #expect(trail?.entries.map(\.context) == [nil, "utility"])
      }
    }

    @Test("15.48 an error that is awaited, waited for or read has its trail")
    func reads() async {
      await #expect(processExitsWith: .success) {
        Self.begin()
        for (number, read) in Self.readers.enumerated() {
          let error = Fault(text: "\(number)")
          let (promise, resolver) = Self.left()
          let last = promise.map(on: .utility) { $0 }
          resolver.reject(with: error)
          await read(last)
          let trail = PromiseDiagnostics.trail(of: error)
          let text = "reader \(number): \(trail?.description ?? "no trail")"
          #expect(trail?.entries.map(\.kind) == [.promise, .step], "\(text)")
          #expect(trail?.entries.map(\.isRejectedHere) == [true, false], "\(text)")
          #expect(trail?.entries.first?.place == Self.place(Self.leftLine), "\(text)")
        }
      }
    }

    private static let readers: [@Sendable (Subject) async -> Void] = [
      { _ = try? await $0.value },
      {
        _ = await $0.outcome()
        _ = $0.result
      },
      { promise in
        let isDone = Latch()
        DispatchQueue(label: "waits").async {
          _ = try? promise.wait()
          isDone.signal()
        }
        await isDone.wait(for: "the blocking wait")
      },
      { _ = await $0.recover(on: .immediate) { _ in 1 }.outcome() },
      { promise in
        // The promise is rejected when the callback is registered.
        _ = await promise.outcome()
        promise.catch(on: .immediate) { _ in }
      },
    ]

    @Test("15.48 inside a callback, two recorded errors with equal descriptions have their own trails")
    func equalErrors() async {
      await #expect(processExitsWith: .success) {
        Self.begin()
        let promises = [Self.left(), Self.right()]
        let ends = promises.map { $0.0.map(on: .immediate) { $0 } }
        let places = Recorder<String?>()
        for end in ends {
          // The error of the other promise is newer when the task of the callback asks.
          end.catch(on: .immediate) { error in
            Task { places.record(PromiseDiagnostics.trail(of: error)?.entries.first?.place) }
          }
        }
        for (_, resolver) in promises { resolver.reject(with: Fault(text: "equal")) }
        await until("the tasks have run") { places.entries.count == 2 }
        #expect(Set(places.entries) == [Self.place(Self.leftLine), Self.place(Self.rightLine)])
      }
    }

    @Test("15.48 a timeout is the rejected step of its trail")
    func timeout() async {
      await #expect(processExitsWith: .success) {
        Self.begin()
        let (promise, resolver) = Subject.makeWithResolver()
        let last = promise.timeout(on: .immediate, .milliseconds(1)).map(on: .utility) { $0 }
        let seen = Recorder<PromiseTrail?>()
        last.catch(on: .immediate) { seen.record(PromiseDiagnostics.trail(of: $0)) }
        await until("the timeout") { !seen.entries.isEmpty }
        #expect(seen.entries.first??.entries.map(\.isRejectedHere) == [false, true, false])
        withExtendedLifetime(resolver) {}
      }
    }

    @Test("15.49 a trail begins after the promise whose record was replaced")
    func replaced() async {
      await #expect(processExitsWith: .success) {
        Self.begin()
        let (promise, resolver) = Subject.makeWithResolver()
        let old = promise.map(on: .immediate) { $0 }
        let other = Subject(rejected: Fault(text: "b"))
        for number in 0..<CoreRecord.capacity { _ = Subject(fulfilled: number) }
        let last = old.map(on: .immediate) { $0 }.map(on: .immediate) { $0 }
        resolver.reject(with: Fault(text: "a"))
        let trail = await Self.trail(of: last)
        #expect(trail?.entries.map(\.kind) == [.step, .step], "\(trail?.description ?? "no trail")")
        #expect(trail?.entries.map(\.isRejectedHere) == [false, false])
        #expect(await Self.trail(of: other) == nil)
      }
    }

    @Test("15.49 the trail of a recursion through flatMap is bounded")
    func recursion() async {
      await #expect(processExitsWith: .success) {
        Self.begin()
        @Sendable func loop(_ round: Int) -> Subject {
          let (promise, resolver) = Subject.makeWithResolver()
          DispatchQueue.global().async { resolver.fulfill(with: round) }
          return promise.flatMap(on: .utility) { round in
            round == 5_000 ? Subject(rejected: Fault(text: "end")) : loop(round + 1)
          }
        }
        let trail = await Self.trail(of: loop(0))
        #expect((1...32).contains(trail?.entries.count ?? 0))
        #expect(trail?.entries.filter(\.isRejectedHere).count ?? 2 <= 1)
      }
    }

    @Test("15.49 while eight threads record and read, each trail is that of its chain")
    func threads() async {
      await #expect(processExitsWith: .success) {
        Self.begin()
        let (complete, ended) = (Counter(), Latch(8))
        for thread in 0..<8 {
          Thread.detachNewThread {
            for round in 0..<1_000 {
              let isLeft = (thread + round).isMultiple(of: 2)
              let (promise, resolver) = isLeft ? Self.left() : Self.right()
              let chain = promise.map(on: .immediate) { $0 }.map(on: .immediate) { $0 }
              chain.catch(on: .immediate) { error in
                let entries = PromiseDiagnostics.trail(of: error)?.entries ?? []
                // A part of the trail may be missing, but no part belongs to another chain.
                let first = entries.count == 3 ? entries.first : nil
                if let first {
                  #expect(first.kind == .promise && first.isRejectedHere)
                  #expect(first.place == Self.place(isLeft ? Self.leftLine : Self.rightLine))
                  complete.increment()
                }
                #expect(entries.dropFirst(first == nil ? 0 : 1).allSatisfy { $0.kind == .step })
              }
              resolver.reject(with: Fault(text: "\(thread) \(round)"))
            }
            ended.signal()
          }
        }
        await ended.wait(for: "the threads")
        #expect(complete.count > 4_000)
      }
    }

    @Test("15.48 the recorded trail of a combinator goes through the input that decided")
    func combinators() async {
      await #expect(processExitsWith: .success) {
        Self.begin()
        for (number, combine) in Self.combinators.enumerated() {
          let (failing, resolver) = Self.left()
          let (other, otherResolver) = Self.right()
          let last = combine(failing.map(on: .immediate) { $0 }, other)
          resolver.reject(with: Fault(text: "\(number)"))
          // If the inputs are joined, this error does not decide.
          otherResolver.reject(with: Fault(text: "other"))
          let trail = await Self.trail(of: last)
          let text = "combinator \(number): \(trail?.description ?? "no trail")"
          #expect(trail?.entries.map(\.kind) == [.promise, .promise, .step, .adoption, .step], "\(text)")
          #expect(trail?.entries.map(\.isRejectedHere) == [false, true, false, false, false], "\(text)")
          #expect(trail?.entries.dropFirst().first?.place == Self.place(Self.leftLine), "\(text)")
        }
      }
    }

    private static let combinators: [@Sendable (Subject, Subject) -> Subject] =
      [false, true].flatMap { joining -> [@Sendable (Subject, Subject) -> Subject] in
        [
          { first, second in Self.count(when(fulfilled: [first, second], joining: joining)) },
          { first, second in Self.count(when(fulfilled: first, second, joining: joining)) },
          { first, second in
            Self.count(
              when(fulfilled: [true, false], maxConcurrent: 2, joining: joining, on: .immediate) {
                $0 ? first : second
              })
          },
        ]
      } + [{ first, second in Self.count(when(first: [first, second])) }]

    private static func count<Value: Sendable>(_ promise: Promise<Value, Fault>) -> Subject {
      promise.map(on: .immediate) { _ in 1 }
    }

    @Test("15.48 while two inputs race to decide, the recorded trail is that of the error")
    func raceOfInputs() async {
      await #expect(processExitsWith: .success) {
        Self.begin()
        for round in 0..<500 {
          let (left, right) = (Self.left(), Self.right())
          let all = Self.count(when(fulfilled: [left.0, right.0]))
          let seen = Recorder<(error: Fault, trail: PromiseTrail?)>()
          all.catch(on: .immediate) { seen.record(($0, PromiseDiagnostics.trail(of: $0))) }
          DispatchQueue.concurrentPerform(iterations: 2) { index in
            index == 0 ? left.1.reject(with: Fault(text: "left")) : right.1.reject(with: Fault(text: "right"))
          }
          await until("the callback has run") { !seen.entries.isEmpty }
          let line = seen.entries[0].error.text == "left" ? Self.leftLine : Self.rightLine
          let entries = seen.entries[0].trail?.entries ?? []
          #expect(entries.count == 4 && entries[1].place == Self.place(line), "round \(round): \(entries)")
        }
      }
    }

    static let leftLine = #line + 1
    static func left() -> (Subject, Subject.Resolver) { Subject.makeWithResolver() }
    static let rightLine = #line + 1
    static func right() -> (Subject, Subject.Resolver) { Subject.makeWithResolver() }

    /// Compares a trail with the lines of the model. Lines of steps also have the name of the operator and the context,
    /// which records do not contain.
    private static func check(_ trail: PromiseTrail?, equals lines: [String], _ seed: Int) {
      guard let trail, trail.entries.count == lines.count else {
        Issue.record("seed \(seed): \(trail?.description ?? "no trail") is not \(lines.joined(separator: "\n"))")
        return
      }
      for (entry, line) in zip(trail.entries, lines) {
        #expect(entry.isRejectedHere == line.hasSuffix(", rejected here"), "seed \(seed): \(line)")
        #expect(entry.context == nil && entry.name == nil)
        let words = line.split(separator: " ")
        guard let at = words.firstIndex(of: "at") else { continue }
        let place = String(words[at + 1].prefix { $0 != "," })
        if line.hasPrefix("  made") {
          #expect(entry.kind == .promise && entry.place == place, "seed \(seed): \(line)")
        } else {
          #expect(entry.kind == (line.hasPrefix("  adopted") ? .adoption : .step), "seed \(seed): \(line)")
          #expect(!entry.entry.addresses.isEmpty)
        }
      }
    }
  }

  #if os(Linux) && !DEBUG
    extension RecordedTrailTests {
      private static let firstLine = #line + 7

      @inline(never)
      private static func makeChain(
        _ context: PromiseContext
      ) -> (Promise<String, any Error>, Promise<Int, any Error>.Resolver) {
        let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
        let chain = promise.map(on: context) { $0 + 1 }
          .flatMap(on: context) { value throws -> Promise<Int, any Error> in Promise(fulfilled: value) }
          .map(on: context) { "\($0)" }
        return (chain, resolver)
      }

      private static let hasTool = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/llvm-symbolizer")
      }

      @Test(
        "15.50 in an optimised build, llvm-symbolizer finds the line of each operator's call",
        .enabled("llvm-symbolizer is not installed", { Self.hasTool }))
      func places() async {
        await #expect(processExitsWith: .success) {
          Self.begin()
          let (chain, resolver) = Self.makeChain(.utility)
          let seen = Recorder<PromiseTrail?>()
          chain.catch(on: .immediate) { seen.record(PromiseDiagnostics.trail(of: $0)) }
          resolver.reject(with: Fault(text: "a"))
          await until("the callback has run") { !seen.entries.isEmpty }
          let steps = seen.entries.first??.entries.dropFirst() ?? []
          #expect(steps.count == 3)
          for (offset, step) in steps.enumerated() {
            let places = try Self.findPlaces(of: step.calls)
            #expect(places.contains("RecordedTrailTests.swift:\(Self.firstLine + offset)"), "\(offset): \(places)")
          }
        }
      }

      /// Returns the places of calls in this program, such as "Loader.swift:33".
      private static func findPlaces(of calls: [String]) throws -> [String] {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let start = "\(program.split(separator: "/").last ?? "")+"
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
          ["llvm-symbolizer", "--obj=\(program)"]
          + calls.filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // The tool prints the functions and their lines in turn.
        return output.split(separator: "\n").map { line in
          (line.split(separator: "/").last ?? "").split(separator: ":").prefix(2).joined(separator: ":")
        }
      }
    }
  #endif
#endif
