import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

/// Requests to cancel that arrive while a transport is sending, before its promise is known.
@Suite(.inTurn) struct TransportCancellationTests {
  enum Refusal: CaseIterable {
    case missingFolder, unaskedPart
  }

  @Test("10.23 a transport whose response is refused inside send is asked to cancel", arguments: Refusal.allCases)
  func refusedInside(refusal: Refusal) async throws {
    let folder = try TemporaryFolder()
    let transport = DrivenTransport { receiver in
      receiver.receive(HTTPResponse(status: refusal == .unaskedPart ? 206 : 200, body: Data(count: 100)))
    }
    let file = folder.file(refusal == .missingFolder ? "missing/it" : "it")
    let response = NetworkSession(transport: transport).download("https://example.org/", to: file)
    #expect(await expectError(response)?.name == (refusal == .missingFolder ? "file" : "connection"))
    #expect(transport.calls.entries.map(\.resolver.hasRequestedCancel) == [true])
  }

  @Test(
    "10.23 a transport whose request is cancelled or suspended inside send is asked to cancel",
    arguments: [true, false])
  func endedInside(isCancelled: Bool) async throws {
    let task = NetworkTask()
    let transport = DrivenTransport { _ in isCancelled ? task.cancel() : task.suspend() }
    task.suspend()
    let response = NetworkSession(transport: transport).fetch("https://example.org/", task: task)
    task.resume()
    #expect(transport.calls.entries.map(\.resolver.hasRequestedCancel) == [true])
    if isCancelled { expectCancelled(response) } else { expectPending(response) }
  }

  @Test("10.23 a request to cancel that races with resuming reaches the transport's promise")
  func cancelRacesWithResume() async {
    struct Round: Sendable {
      let transport = DrivenTransport()
      let task = NetworkTask()
      let response: Promise<HTTPResponse, any Error>

      init() {
        task.suspend()
        response = NetworkSession(transport: transport).fetch("https://example.org/", task: task)
      }
    }
    await race(rounds: 3000) {
      Round()
    } _: { round in
      round.task.resume()
    } _: { round in
      round.response.requestCancel()
    } check: { round in
      let areAsked = round.transport.calls.entries.map(\.resolver.hasRequestedCancel)
      return areAsked.allSatisfy { $0 } && areAsked.count <= 1 ? nil : "asked to cancel: \(areAsked)"
    }
  }
}
