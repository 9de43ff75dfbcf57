import Dispatch
import Overmorrow
import Testing

@Suite(.inTurn) struct IsExecutingNowTests {
  private let flags = Recorder<Bool>()

  /// Records the value of the flag at this point.
  private func ask() { flags.record(PromiseContext.isExecutingNow) }

  /// Returns the values of the flag that `body` records inside a `.nowOr` callback that runs synchronously, on its own
  /// thread.
  private func flagsNow(_ body: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) async throws -> [Bool] {
    try await onOwnThread("a callback that runs now") {
      Subject(fulfilled: 7).then(on: .nowOr(.main)) { _ in body(ask) }
      return flags.entries
    }
  }

  @Test("2.9 isExecutingNow is false in immediate steps and bodies, but true in nowOr bodies")
  func immediate() {
    Subject(fulfilled: 7).then(on: .nowOr(.main)) { _ in }.then(on: .immediate) { _ in ask() }
    _ = Subject(on: .immediate) { _ in ask() }
    _ = Subject(on: .nowOr(.main)) { _ in ask() }
    #expect(flags.entries == [false, false, true])
  }

  @Test("2.9 isExecutingNow is true in immediate work nested in a callback that runs now")
  func nested() async throws {
    let flags = try await flagsNow { ask in
      Subject(fulfilled: 7).then(on: .immediate) { _ in ask() }
      _ = Subject(on: .immediate) { _ in ask() }
      Subject(fulfilled: 7).then(on: .nowOr(.default)) { _ in ask() }
      Subject(fulfilled: 7).then(on: .immediate) { _ in
        _ = Subject(on: .immediate) { _ in Subject(fulfilled: 7).then(on: .immediate) { _ in ask() } }
      }
      let (asked, resolver) = Subject.makeWithResolver()
      asked.requestCancel()
      resolver.onRequestCancel(on: .immediate) { _ in ask() }
      ask()
    }
    #expect(flags == Array(repeating: true, count: 6))
  }

  @Test(
    "2.9 isExecutingNow is false for observers registered outside the callback that resolves their promise",
    arguments: [PromiseContext.immediate, .nowOr(.immediate)])
  func registeredElsewhere(context: PromiseContext) async throws {
    let (promise, resolver) = Subject.makeWithResolver()
    promise.then(on: context) { _ in ask() }
    let flags = try await flagsNow { ask in
      resolver.fulfill(with: 7)
      ask()
    }
    #expect(flags == [false, true])
  }

  @Test("2.9 isExecutingNow is false on other threads and queues that a callback uses")
  func elsewhere() async throws {
    let queue = DispatchQueue(label: "other")
    let flags = try await flagsNow { ask in
      onThread(stackSize: 512 << 10) { ask() }
      let done = DispatchSemaphore(value: 0)
      queue.async {
        ask()
        done.signal()
      }
      done.wait()
      Subject(fulfilled: 7).then(on: .executor(ElsewhereExecutor())) { _ in ask() }
      DispatchQueue.main.sync {
        ask()
        Subject(fulfilled: 7).then(on: .nowOr(.default)) { _ in ask() }
        ask()
      }
      ask()
    }
    #expect(flags == [false, false, false, false, true, false, true])
  }
}
