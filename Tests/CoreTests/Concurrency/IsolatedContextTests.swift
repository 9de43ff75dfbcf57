import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// A class that is not Sendable.
private final class Log {
  var entries: [String] = []
}

/// An observer or a transform on an isolated promise. It calls `note` once, and returns a promise.
private struct IsolatedOperator: Sendable, CustomTestStringConvertible {
  typealias Note = @MainActor () -> Void

  let testDescription: String
  let input: PromiseResult<Int, Reason>
  let apply: @MainActor (Subject, Bool, @escaping Note) -> Any

  init(
    _ name: String, _ input: PromiseResult<Int, Reason>,
    _ apply: @escaping @MainActor (Subject, Bool, @escaping Note) -> Any
  ) {
    (testDescription, self.input, self.apply) = (name, input, apply)
  }

  static let all = [
    IsolatedOperator("then", .value(1)) { $0.then(nowIfResolved: $1) { [note = $2] _ in note() } },
    IsolatedOperator("catch", .error("no")) { $0.catch(nowIfResolved: $1) { [note = $2] _ in note() } },
    IsolatedOperator("always", .cancelled) { $0.always(nowIfResolved: $1) { [note = $2] _ in note() } },
    IsolatedOperator("tap", .value(1)) { $0.tap(nowIfResolved: $1) { [note = $2] _ in note() } },
    IsolatedOperator("onCancel", .cancelled) { $0.onCancel(nowIfResolved: $1) { [note = $2] in note() } },
    IsolatedOperator("map", .value(1)) { $0.map(nowIfResolved: $1) { [note = $2] _ in note() } },
    IsolatedOperator("flatMap", .value(1)) { promise, now, note in
      promise.flatMap(nowIfResolved: now) { noted(Subject(fulfilled: $0), note) }
    },
    IsolatedOperator("mapError", .error("no")) { $0.mapError(nowIfResolved: $1) { [note = $2] in noted($0, note) } },
    IsolatedOperator("flatMapError", .error("no")) { promise, now, note in
      promise.flatMapError(nowIfResolved: now) { noted(Subject(rejected: $0), note) }
    },
    IsolatedOperator("recover", .error("no")) { $0.recover(nowIfResolved: $1) { [note = $2] _ in noted(0, note) } },
    IsolatedOperator("mapResult", .cancelled) { $0.mapResult(nowIfResolved: $1) { [note = $2] in noted($0, note) } },
    IsolatedOperator("flatMapResult", .cancelled) { promise, now, note in
      promise.flatMapResult(nowIfResolved: now) { noted(Subject(with: $0), note) }
    },
  ]

  @MainActor private static func noted<T>(_ answer: T, _ note: Note) -> T {
    note()
    return answer
  }
}

@Suite(.inTurn) @MainActor struct IsolatedContextTests {
  private let log = Log()

  @Test(
    "2.11 2.3 each operator runs a closure that is isolated to the main actor there", arguments: IsolatedOperator.all
  )
  private func onMainActor(_ tested: IsolatedOperator) async {
    let ran = Latch()
    let (promise, resolver) = Subject.makeWithResolver()
    _ = tested.apply(promise, false) { [log] in
      MainActor.assertIsolated()
      log.entries.append(MainQueue.isCurrent ? "main" : "elsewhere")
      ran.signal()
    }
    DispatchQueue.global().async { resolver.resolve(with: tested.input) }
    await ran.wait(for: "the closure of \(tested.testDescription)")
    #expect(log.entries == ["main"])
  }

  @Test(
    "2.8 2.9 2.19 with nowIfResolved, each operator runs its closure inside the call, with isExecutingNow true",
    arguments: IsolatedOperator.all)
  private func now(_ tested: IsolatedOperator) {
    _ = tested.apply(Subject(with: tested.input), true) { [log] in
      log.entries.append("\(PromiseContext.isExecutingNow)")
    }
    log.entries.append("\(PromiseContext.isExecutingNow)")
    #expect(log.entries == ["true", "false"])
  }

  @Test("2.8 2.19 with nowIfResolved, a closure waits for its actor if its promise is pending")
  func nowOrLater() async {
    let ran = Latch()
    let (promise, resolver) = Subject.makeWithResolver()
    promise.then(nowIfResolved: true) { _ in
      log.entries.append("\(PromiseContext.isExecutingNow)")
      ran.signal()
    }
    resolver.fulfill(with: 1)
    #expect(log.entries == [])
    await ran.wait(for: "the closure")
    #expect(log.entries == ["false"])
  }

  @Test("2.10 isolated closures and closures on .main run in one pass, in order")
  func onePass() async {
    let trace = MainTrace()
    let (promise, resolver) = Subject.makeWithResolver()
    promise.then { _ in trace.begin() }
      .then(on: .main) { _ in trace.log.record("second") }
      .then { _ in trace.log.record("third") }
      .map { $0 + 1 }
      .then { _ in trace.log.record("fourth") }
    resolver.fulfill(with: 1)
    await trace.expect("begin", "second", "third", "fourth", "another turn")
  }

  @Test("2.11 11.12 a closure that names the main actor runs there, whatever code registers it")
  func namedActor() async {
    let ran = Latch()
    let recorder = Recorder<Bool>()
    await Task.detached {
      _ = Subject(fulfilled: 1).then(nowIfResolved: true) { @MainActor _ in
        MainActor.assertIsolated()
        recorder.record(PromiseContext.isExecutingNow)
        ran.signal()
      }
    }.value
    await ran.wait(for: "the closure")
    #expect(recorder.entries == [false])
  }

  @Test("2.2 a throwing isolated closure rejects its promise with the error")
  func throwing() async {
    let promise = Subject(fulfilled: 1)
    let step = promise.then(nowIfResolved: true) { _ throws(Reason) in
      log.entries.append("then")
      throw "no"
    }
    let mapped = promise.map(nowIfResolved: true) { _ throws(Reason) -> Int in
      log.entries.append("map")
      throw "no"
    }
    #expect([step.result, mapped.result] == [.error("no"), .error("no")])
    #expect(log.entries == ["then", "map"])
  }

  @Test("4.1 4.6 a token suppresses isolated closures, even those of a chain")
  func token() async {
    let turn = Latch()
    let token = PromiseInvalidationToken()
    Subject(fulfilled: 1).then(token: token) { log.entries.append("\($0)") }
    Subject(fulfilled: 1).bound(to: turn, token: token).then { log.entries.append("\($1)") }.map { "\($1)" }
      .always { _, _ in log.entries.append("always") }
    token.invalidate()
    Subject(fulfilled: 1).then { _ in turn.signal() }
    await turn.wait(for: "a later callback")
    #expect(log.entries == [])
  }

  @Test("2.3 3.4 a cancel handler and the callback of a shared promise run on their actor")
  func producers() async {
    let requested = Latch(2)
    let kept = Holder<Subject.Resolver>()
    let shared = {
      let (promise, resolver) = Subject.makeWithResolver()
      kept.value = resolver
      resolver.onRequestCancel { resolver in
        log.entries.append("asked")
        resolver.cancel()
        requested.signal()
      }
      return promise.propagatingCancellation { _ in
        log.entries.append("all asked")
        requested.signal()
      }
    }()
    shared.makeChild().requestCancel()
    await requested.wait(for: "the request")
    #expect(log.entries == ["all asked", "asked"])
  }
}
