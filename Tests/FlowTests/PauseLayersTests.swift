import Testing

@testable import Overmorrow
@testable import OvermorrowEngine
@testable import OvermorrowFlow

/// Contexts with several pauses, and with a pause behind a task-local value.
@Suite(.inTurn) struct PauseLayersTests {
  private enum Request {
    @TaskLocal static var id = 0
  }

  enum Layers: CaseIterable {
    case inner, outer, behindValue, betweenValues
  }

  private let pause = PromisePause()
  private let other = PromisePause()

  /// Returns a context with `pause`, and with other layers. The task-local value is 7 on a context that carries it.
  private func context(_ layers: Layers, _ context: PromiseContext = .immediate) -> PromiseContext {
    Request.$id.withValue(7) {
      switch layers {
      case .inner: context.paused(by: pause).paused(by: other)
      case .outer: context.paused(by: other).paused(by: pause)
      case .behindValue: context.paused(by: pause).carrying(Request.$id)
      case .betweenValues: context.carrying(Request.$id).paused(by: pause).carrying(Request.$id).paused(by: other)
      }
    }
  }

  @Test(
    "7.3 7.8 7.10 under several layers, a retry that waits between attempts is cancelled at once",
    arguments: Layers.allCases
  )
  func retry(layers: Layers) {
    let (calls, probe) = (Counter(), Probe())
    let promise = Subject.retry(on: context(layers)) { _ in
      calls.increment()
      return probe.take()
    }
    pause.suspend()
    probe.resolver.reject(with: .first)
    #expect(promise.result == nil)
    promise.requestCancel()
    #expect(promise.result == .cancelled)
    pause.resume()
    #expect(calls.count == 1)
  }

  @Test("7.8 7.10 under several layers, a job of a suspended pause takes no place", arguments: Layers.allCases)
  func limiter(layers: Layers) {
    let limiter = PromiseLimiter(width: 1)
    pause.suspend()
    let waiting = limiter.run(on: context(layers)) { Subject(fulfilled: Request.id) }
    #expect((limiter.runningCount, limiter.pendingCount) == (0, 0))
    #expect(limiter.run(on: .immediate) { Subject(fulfilled: 1) }.result == .value(1))
    pause.resume()
    #expect(waiting.result == .value(layers == .inner || layers == .outer ? 0 : 7))
  }

  @Test("7.8 7.10 a job and a retry wait until each pause of their context is resumed")
  func allPauses() {
    let (limiter, layers) = (PromiseLimiter(width: 1), context(.inner))
    pause.suspend()
    other.suspend()
    let promises = [
      limiter.run(on: layers) { Subject(fulfilled: 1) }, Subject.retry(on: layers) { Subject(fulfilled: $0) },
    ]
    for _ in 0..<3 {
      pause.resume()
      #expect((promises.map(\.result), limiter.runningCount) == ([nil, nil], 0))
      pause.suspend()
      other.resume()
      #expect((promises.map(\.result), limiter.runningCount) == ([nil, nil], 0))
      other.suspend()
    }
    other.resume()
    pause.resume()
    #expect(promises.map(\.result) == [.value(1), .value(1)])
  }

  @Test("2.27 7.10 an attempt sees a carried value that is in front of a pause")
  func carried() async throws {
    let (manual, calls) = (ManualContext(), Recorder<Int>())
    let promise = Subject.retry(on: context(.behindValue, manual.context)) { number in
      calls.record(Request.id)
      return number < 2 ? Subject(rejected: .first) : Subject(fulfilled: number)
    }
    manual.runAll()
    #expect((promise.result, calls.entries) == (.value(2), [7, 7]))
  }

  @Test("7.4 a retry that has not begun does not grow with further suspensions")
  func bounded() {
    let manual = ManualContext()
    let promise = Subject.retry(on: manual.context.paused(by: pause)) { Subject(fulfilled: $0) }
    let counts = (0..<100).map { _ in
      pause.suspend()
      manual.runAll()
      pause.resume()
      return depth(of: promise)
    }
    #expect(Set(counts) == [1] && manual.count == 1)
    manual.runAll()
    #expect(promise.result == .value(1))
  }

  /// The number of promises that one waits for, through one another, including itself.
  private func depth(of promise: Subject) -> Int {
    var depth = 1
    var waiting = promise.handle.core.upstream()
    while let core = waiting.all.first {
      depth += 1
      waiting = core.upstream()
    }
    return depth
  }
}
