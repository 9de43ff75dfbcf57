import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import TestSupport
import Testing

/// The samples of the guide `Overload.md` and of the comments on the types for overload. `FlowTests` covers the other
/// statements.
@Suite(.inTurn) struct OverloadGuideTests {
  @Test("21.1 21.2 21.3 a gate admits requests until it is closed")
  func gate() async throws {
    @Sendable func respond(to request: Request) async throws -> Response { Response() }
    @Sendable func fetchPage() -> Promise<String, any Error> { Promise(fulfilled: "page") }

    let gate = PromiseGate()

    func answer(_ request: Request) async throws -> Response {
      try await gate.perform { try await respond(to: request) }
    }

    func shutDown() async {
      _ = await gate.close(cancellingAfter: .seconds(10)).finalResult
    }

    _ = try await answer(Request())
    do {
      let page = gate.run { fetchPage() }
      #expect(page.result?.value == "page")
    }
    await shutDown()
    await #expect(throws: PromiseRefusalError.gateClosed) { try await answer(Request()) }
  }

  @Test("21.5 21.8 a breaker counts the calls with an answer in time")
  func breaker() async throws {
    let service = Service()
    let lines = Recorder<String>()
    @Sendable func log(_ line: String) { lines.record(line) }

    let breaker = PromiseCircuitBreaker(failureRate: 0.5, minimumCalls: 20, openDuration: .seconds(5))

    func page() async throws -> String {
      try await breaker.perform {
        try await withTimeout(.seconds(2)) { try await service.page() }
      }
    }

    #expect(try await page() == "page!")
    let strict = PromiseCircuitBreaker(isFailure: { ($0 as? LoadError)?.isTransient ?? true })
    await #expect(throws: LoadError.self) { try await strict.perform { throw LoadError(isTransient: false) } }
    let watch = Task {
      for await state in breaker.states { log("the breaker is \(state)") }
    }
    await until("the first state") { lines.entries == ["the breaker is closed"] }
    watch.cancel()
    await watch.value
  }
}

// MARK: - Stand-ins

private struct LoadError: Error {
  var isTransient = true
}

private struct Request {}

private struct Response {}
