import Overmorrow
import Testing

/// `CycleTests` covers cycles.
@Suite(.inTurn) struct DiagnosticsTests {
  private typealias IntPromise = Promise<Int, Reason>

  @Test("1.4 15.1 a resolver that is released unused is reported once, at that moment")
  func resolverDropped() async throws {
    let diagnostics = try await diagnostics {
      let promise = IntPromise(on: .immediate) { _ in }
      promise.tap(on: .immediate) { _ in }
    }
    #expect(diagnostics == [.resolverDropped()])
  }

  @Test("1.4 15.1 a resolver that was used or is not needed is not reported")
  func resolverUsed() async throws {
    for correctCode in CorrectCode.resolvers {
      let diagnostics = try await diagnostics(of: correctCode.make)
      #expect(diagnostics == [], "\(correctCode.name)")
    }
  }

  @Test("1.7 15.9 a handler may read and replace the handler, and make promises")
  func reentrantHandler() async throws {
    let isDone = try await onOwnThread("a handler that replaces itself") {
      let heard = Counter()
      _ = DiagnosticsProbe.listen {
        let thread = currentThread
        PromiseDiagnostics.handler = { _ in
          guard currentThread == thread else { return }
          heard.increment()
          let current = PromiseDiagnostics.handler
          PromiseDiagnostics.handler = current
          Promise<Int, Reason>(fulfilled: 7).then(on: .immediate) { _ in heard.increment() }
        }
        _ = IntPromise(on: .immediate) { _ in }
      }
      return heard.count == 2
    }
    #expect(isDone)
  }

  @Test("1.7 an object that a handler retains may use the handler when it is released")
  func handlerReleased() async throws {
    let isSet = try await onOwnThread("a handler to be replaced") {
      let isSet = Holder<Bool>()
      _ = DiagnosticsProbe.listen {
        let replace = {
          let object = Tracker().make { isSet.value = PromiseDiagnostics.handler != nil }
          PromiseDiagnostics.handler = { _ in withExtendedLifetime(object) {} }
        }
        replace()
        PromiseDiagnostics.handler = nil
      }
      return isSet.value
    }
    #expect(isSet == false)
  }
}
