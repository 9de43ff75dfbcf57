import Dispatch
import Foundation
import OvermorrowTesting
import TestSupport
import Testing

@testable import Overmorrow
@testable import OvermorrowDiagnostics
@testable import OvermorrowEngine

#if DEBUG && os(Linux)
  /// The way of an error from promise to promise.
  @Suite(.enabled(if: isLevelUnset)) struct TrailTests {
    private struct Trouble: Error {
      let number: Int
    }

    private typealias Subject = Promise<Int, Trouble>

    /// Returns the trail that a callback for the error of `promise` gets.
    private func trail(of promise: Subject) async -> PromiseTrail? {
      let seen = Recorder<PromiseTrail?>()
      _ = try? await promise.catch(on: .immediate) { seen.record(PromiseDiagnostics.trail(of: $0)) }.value
      return seen.entries.first ?? nil
    }

    private func place(_ line: Int) -> String { "TrailTests.swift:\(line)" }

    @Test("15.42 an adopted promise's way precedes the entry of the adoption")
    func adoption() async {
      let line = #line
      let inner = Subject(rejected: Trouble(number: 1))
      let (outer, resolver) = Subject.makeWithResolver()
      let last = outer.named("outer").map(on: .utility) { $0 }
      resolver.resolve(with: inner)
      let trail = await trail(of: last)
      #expect(
        trail?.description == """
            made named "outer" at DiagnosticsTests/\(place(line + 2))
            made at DiagnosticsTests/\(place(line + 1)), rejected here
            adopted by the promise made named "outer" at DiagnosticsTests/\(place(line + 2))
            map named "outer" at \(place(line + 3)) on utility
          """)
      #expect(trail?.entries.map(\.kind) == [.promise, .promise, .adoption, .step])
      #expect(trail?.entries.last?.calls.count == 1)
    }

    private static let failingLine = #line + 2
    private static func failing(_ number: Int) -> Subject {
      Subject(fulfilled: 1).map(on: .utility) { _ throws(Trouble) in throw Trouble(number: number) }
    }

    @Test("15.42 the trail of a combinator goes through the input that decided", arguments: [false, true])
    func combinator(joining: Bool) async {
      let (pending, resolver) = Subject.makeWithResolver()
      let line = #line + 1
      let all = when(fulfilled: [pending, Self.failing(6)], joining: joining)
      let last = all.map(on: .immediate) { $0.count }
      if joining { resolver.fulfill(with: 1) }
      let trail = await trail(of: last)
      resolver.fulfill(with: 1)
      #expect(
        trail?.description == """
            made at DiagnosticsTests/\(place(line))
            made at DiagnosticsTests/\(place(Self.failingLine))
            map at \(place(Self.failingLine)) on utility, rejected here
            adopted by the promise made at DiagnosticsTests/\(place(line))
            map at \(place(line + 1)) on immediate
          """)
    }

    @Test("15.42 the trail of a bounded combinator goes through the input that decided", arguments: [false, true])
    func bounded(joining: Bool) async {
      let (pending, resolver) = Subject.makeWithResolver()
      let failing = Self.failing(9)
      if joining { await until("the error") { failing.isResolved } }
      let line = #line + 1
      let all = when(fulfilled: [true, false], maxConcurrent: 2, joining: joining, on: .immediate) {
        $0 ? pending : failing
      }
      let last = all.map(on: .immediate) { $0.count }
      // If the inputs are joined, another error arrives after the one that has decided.
      if joining { resolver.reject(with: Trouble(number: 10)) }
      let trail = await trail(of: last)
      if !joining { resolver.fulfill(with: 1) }
      #expect(
        trail?.description == """
            made at DiagnosticsTests/\(place(line))
            made at DiagnosticsTests/\(place(Self.failingLine))
            map at \(place(Self.failingLine)) on utility, rejected here
            adopted by the promise made at DiagnosticsTests/\(place(line))
            map at \(place(line + 3)) on immediate
          """)
    }

    @Test("15.42 the trail of a bounded combinator goes through the task that decided", arguments: [false, true])
    func boundedTasks(joining: Bool) async {
      let line = #line + 1
      let all = when(fulfilled: 1...3, maxConcurrent: 1, joining: joining) { number throws(Trouble) in
        if number == 2 { throw Trouble(number: number) }
        return number
      }
      let trail = await trail(of: all.map(on: .immediate) { $0.count })
      #expect(trail?.entries.map(\.operation) == [nil, "task", nil, "map"])
      #expect(trail?.entries.map(\.kind) == [.promise, .promise, .adoption, .step])
      #expect(trail?.entries.map(\.isRejectedHere) == [false, true, false, false])
      #expect(trail?.entries[1].place == "DiagnosticsTests/\(place(line))")
    }

    @Test("15.42 a resolver that passes on an error in its callback continues the trail")
    func passedOn() async {
      for isOther in [false, true] {
        let (outer, resolver) = Subject.makeWithResolver()
        Self.failing(7).catch(on: .immediate) { error in
          resolver.reject(with: isOther ? Trouble(number: 8) : error)
        }
        let trail = await trail(of: outer.map(on: .immediate) { $0 })
        #expect(
          trail?.entries.map(\.kind) == (isOther ? [.promise, .step] : [.promise, .promise, .step, .adoption, .step]))
        #expect(trail?.entries.filter(\.isRejectedHere).map(\.kind) == [isOther ? .promise : .step])
      }
    }

    @Test("15.42 a step that throws its source's error again has not made the error")
    func thrownAgain() async {
      for isOther in [false, true] {
        let change: @Sendable (Trouble) -> Trouble = { isOther ? Trouble(number: 12) : $0 }
        let rejected = Subject(rejected: Trouble(number: 11))
        let steps = [
          rejected.mapError(on: .immediate, change),
          rejected.recover(on: .immediate) { error throws(Trouble) in throw change(error) },
          rejected.mapResult(on: .immediate) { result in .error(change(result.error ?? Trouble(number: 13))) },
        ]
        for step in steps {
          let trail = await trail(of: step.map(on: .immediate) { $0 })
          #expect(trail?.entries.map(\.isRejectedHere) == [true, isOther, false], "\(trail?.description ?? "")")
        }
      }
    }

    @Test("15.24 15.42 a recording does not change the trail of an error")
    func recording() async {
      await #expect(processExitsWith: .success) {
        let alone = await Self.thrownInCallback()
        let owner = Counter()
        PromiseEvent.send(to: { _ in }, for: ObjectIdentifier(owner))
        let recorded = await Self.thrownInCallback()
        #expect(alone?.entries.map(\.isRejectedHere) == [false, true], "\(alone?.description ?? "no trail")")
        #expect(alone?.entries == recorded?.entries, "\(recorded?.description ?? "no trail")")
      }
    }

    /// Returns the trail of an error that a chain in the callback for this error throws again.
    private static func thrownInCallback() async -> PromiseTrail? {
      let seen = Recorder<PromiseTrail?>()
      failing(7).catch(on: .immediate) { error in
        let inner = Subject(fulfilled: 1).map(on: .immediate) { _ throws(Trouble) -> Int in throw error }
        inner.catch(on: .immediate) { seen.record(PromiseDiagnostics.trail(of: $0)) }
      }
      await until("the callback has run") { !seen.entries.isEmpty }
      return seen.entries.first ?? nil
    }

    @Test("15.42 inside a callback, two errors with equal descriptions have their own trails")
    func equalErrors() async {
      let line = #line
      let one = Subject(rejected: Trouble(number: 2)).map(on: .utility) { $0 }
      let other = Subject(rejected: Trouble(number: 2)).map(on: .utility) { $0 }
      for (offset, promise) in [one, other].enumerated() {
        let trail = await trail(of: promise)
        #expect(trail?.entries.last?.place == place(line + 1 + offset))
      }
    }

    /// In a process of its own: other tests may read 100 errors between the callback and the guess.
    @Test("15.53 outside a callback for an error, its trail is marked as a guess")
    func guess() async {
      await #expect(processExitsWith: .success) {
        let promise = Subject(rejected: Trouble(number: 6)).map(on: .immediate) { $0 }
        let known = try #require(await TrailTests().trail(of: promise))
        #expect(!known.isGuess)
        #expect(known.json.hasSuffix(#""isGuess":false}"#))
        let guess = try #require(PromiseDiagnostics.trail(of: Trouble(number: 6)))
        #expect(guess.isGuess && guess.entries == known.entries)
        #expect(guess.description == "  perhaps, as an error with the same description:\n\(known)")
        #expect(guess.json.hasSuffix(#""isGuess":true}"#))
      }
    }

    @Test("15.53 an error that async code throws does not continue an earlier error's way")
    func asyncThrow() async throws {
      let (seen, line) = (Recorder<PromiseTrail?>(), #line + 2)
      let work: @Sendable () -> Subject = {
        Subject { () async throws(Trouble) in throw Trouble(number: 7) }
      }
      let inner = Recorder<Subject>()
      // The task of the closure begins in a callback for an equal error.
      _ = await Subject(rejected: Trouble(number: 7)).catch(on: .immediate) { _ in inner.record(work()) }.finalResult
      let other = try #require(inner.entries.first)
      _ = await other.catch(on: .immediate) { seen.record(PromiseDiagnostics.trail(of: $0)) }.finalResult
      let trail = try #require(seen.entries.first ?? nil)
      #expect(trail.entries.map(\.place) == ["DiagnosticsTests/\(place(line))"])
      #expect(!trail.isGuess)
    }

    @Test("15.42 an error that no promise had has no trail")
    func unknown() {
      #expect(PromiseDiagnostics.trail(of: Trouble(number: -1)) == nil)
    }

    @Test("15.42 the trail of 1,000 steps has 8 first and 24 last entries")
    func longChain() async {
      let (promise, resolver) = Subject.makeWithResolver()
      var chain = promise
      for _ in 0..<1_000 { chain = chain.map(on: .immediate) { $0 } }
      resolver.reject(with: Trouble(number: 3))
      let trail = await trail(of: chain)
      #expect(trail?.entries.count == 32)
      #expect(trail?.omitted == 1_001 - 32)
      #expect(trail?.description.split(separator: "\n").count == 33)
      #expect(trail?.description.split(separator: "\n")[8] == "  … 969 more")
    }

    @Test("15.42 a recursion through flatMap keeps a bounded way")
    func recursion() async {
      let rounds = 2_000
      @Sendable func loop(_ round: Int) -> Subject {
        let (promise, resolver) = Subject.makeWithResolver()
        DispatchQueue.global().async { resolver.fulfill(with: round) }
        return promise.flatMap(on: .utility) { round in
          round == rounds ? Subject(rejected: Trouble(number: 4)) : loop(round + 1)
        }
      }
      let trail = await trail(of: loop(0))
      #expect((1...32).contains(trail?.entries.count ?? 0))
    }

    @Test("15.42 of the errors that code has read, 100 are kept")
    func limit() {
      for number in 100..<300 { _ = Subject(rejected: Trouble(number: number)).result }
      #expect(PromiseDiagnostics.trail(of: Trouble(number: 100)) == nil)
    }

    private static let firstLine = #line + 3

    private static func reject() {
      let promise = Subject(rejected: Trouble(number: 5)).map(on: .immediate) { $0 }
      let last = promise.map(on: .utility) { $0 }
      withExtendedLifetime(last) {}
    }

    @Test("15.43 the report of an unread error prints the way once for each place")
    func printing() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        for _ in 0..<3 { Self.reject() }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let line = Self.firstLine
      let way = """
         or with always { _ in } to ignore the error.
          made at DiagnosticsTests/\(place(line)), rejected here
          map at \(place(line)) on immediate
          map at \(place(line + 1)) on utility

        """
      #expect(text.components(separatedBy: way).count == 2, "\(text)")
    }

    @Test("15.42 joined ways are shortened between their first and last parts")
    func joining() {
      var random = SeededGenerator(seed: 1)
      for _ in 0..<1_000 {
        var (way, all) = (TrailParts(), [PromiseMark]())
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let marks = (0..<Int.random(in: 0...50, using: &random)).map { _ in
            PromiseMark(
              CallSite(#fileID, #line), origin: nil, isStep: true, context: nil, name: nil, producer: .resolver,
              calls: nil)
          }
          var part = TrailParts()
          for mark in marks { part.append(TrailParts.Part(mark: mark)) }
          way.append(part)
          all += marks
        }
        let (first, last) = (way.first.map(\.mark), way.last.map(\.mark))
        #expect(way.count == all.count)
        #expect(first.count <= TrailParts.firstLimit && last.count <= TrailParts.lastLimit)
        #expect(first.elementsEqual(all.prefix(first.count), by: ===))
        #expect(last.elementsEqual(all.suffix(last.count), by: ===))
        if all.count <= 32, way.omitted > 0 { Issue.record("a short way was shortened") }
      }
    }
  }
#endif
