import Foundation
import Overmorrow
import OvermorrowFlow
import Testing

@testable import OvermorrowFoundation

/// One attempt of a request, driven by an exchange of the test.
@Suite(.inTurn) struct TransferTests {
  /// An exchange without a network. Like other exchanges, it retains its transfer.
  private final class IdleExchange: Exchange {
    private let transfer: Transfer

    init(_ transfer: Transfer) { self.transfer = transfer }

    func start() {}
    func suspend() -> Bool { false }
    func resume() {}
    func abandon() {}
  }

  /// Begins an attempt, ends it with a closure, and checks that the attempt does not retain its exchange.
  private func expectRelease(
    _ end: (Transfer, any Exchange) -> Void
  ) throws -> Promise<HTTPResponse, any Error> {
    let (response, resolver) = Promise<HTTPResponse, any Error>.makeWithResolver()
    let request = URLRequest(url: try #require(URL(string: "https://example.org/")))
    let transfer = Transfer(TransferOrder(request: request), meter: ProgressMeter(PromiseProgress(), nil), resolver)
    weak var released: IdleExchange?
    do {
      let exchange = IdleExchange(transfer)
      released = exchange
      #expect(transfer.begin(exchange))
      end(transfer, exchange)
    }
    #expect(released == nil && transfer.current == nil)
    return response
  }

  @Test("10.3 an attempt that fails in the middle releases its exchange")
  func failure() async throws {
    let url = try #require(URL(string: "ftp://example.org/"))
    let response = try expectRelease { transfer, exchange in
      let head = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
      #expect(!transfer.receive(head, to: nil, of: exchange))
    }
    #expect(await expectError(response)?.name == "notHTTP")
  }

  @Test("10.2 10.3 an attempt that ends or is cancelled releases its exchange")
  func end() async throws {
    _ = await expectError(try expectRelease { $0.complete($1, URLError(.timedOut)) })
    expectCancelled(try expectRelease { transfer, _ in _ = transfer.cancel() })
  }

  @Test("10.3 an interim response is not the response")
  func interim() async throws {
    let response = try expectRelease { transfer, exchange in
      #expect(transfer.receive(HTTPResponse(status: 100).response, to: nil, of: exchange))
      transfer.complete(exchange, nil)
    }
    #expect(await expectError(response)?.code == .badServerResponse)
  }
}
