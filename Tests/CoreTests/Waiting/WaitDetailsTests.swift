import Dispatch
import Testing

@testable import Overmorrow

/// The descriptions of the errors of blocking waits.
@Suite(.inTurn) struct WaitDetailsTests {
  private static let place = "the promise made at CoreTests/WaitDetailsTests.swift:"

  /// Returns the description of the error that a wait throws.
  private func text(of wait: () throws -> Int) -> String {
    do {
      return "the value \(try wait())"
    } catch {
      return "\(error)"
    }
  }

  @Test("15.30 a wait that timed out names the promise and what its chain waits for")
  func timedOut() {
    let line = #line + 2
    _ = PromiseDiagnostics.checking {
      let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
      let outer = Promise<Int, any Error>(on: .immediate) { $0.resolve(with: promise) }
      let step = promise.map(on: .immediate) { $0 }
      let all = [promise, step, outer].map { promise in self.text { try promise.wait(timeout: .zero) } }
      let (text, here) = ("the wait for a promise timed out: ", "\(Self.place)\(line)")
      #expect(
        all == [
          "\(text)\(here) waits for its resolver",
          "\(text)\(here) waits for a promise before it, which waits for its resolver",
          "\(text)\(Self.place)\(line + 1) waits for \(here), which waits for its resolver",
        ])
      resolver.cancel()
    }
  }

  @Test("15.30 a deadlock names the promise and the context that the wait blocks")
  @MainActor func deadlock() {
    let line = #line + 2
    let text = PromiseDiagnostics.checking {
      let step = Promise<Int, any Error>(fulfilled: 1).map(on: .main) { $0 }
      return self.text { try step.map(on: .immediate) { $0 }.wait() }
    }.result
    #expect(
      text == "the wait for a promise blocks the queue or thread on which its work has to run: "
        + "\(Self.place)\(line) waits for a promise before it, which waits for its turn on main")
  }

  @Test("15.30 the details of an error affect neither its equality nor its pattern")
  func equality() {
    let (timedOut, deadlock) = (PromiseWaitError.timedOut(details: "1"), PromiseWaitError.deadlock(details: "2"))
    #expect(timedOut == .timedOut && deadlock == .deadlock && timedOut != deadlock)
    #expect(Set([timedOut, deadlock, .timedOut, .deadlock]).count == 2)
    do { throw deadlock } catch PromiseWaitError.deadlock {} catch { Issue.record("\(error) is not matched") }
    #expect(PromiseWaitError.timedOut.description == "the wait for a promise timed out")
  }
}
