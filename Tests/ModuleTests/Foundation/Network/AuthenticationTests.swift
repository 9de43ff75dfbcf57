import Foundation
import Overmorrow
import OvermorrowFlow
import Testing

@testable import OvermorrowFoundation

/// Responses by which a server asks for credentials.
@Suite(.inTurn) struct AuthenticationTests {
  enum Form: CaseIterable {
    case fetch, download, upload, uploadOfFile
  }

  @Test(
    "10.31 a response that asks for credentials is the response, and is not retried",
    arguments: ["Digest realm=\"r\", nonce=\"n\"", "Bearer", "Negotiate"], Form.allCases)
  func unauthorized(challenge: String, form: Form) async throws {
    let (session, folder) = (patientSession, try TemporaryFolder())
    let (source, policy) = (folder.file("source"), PromiseRetryPolicy.http(attempts: 3, backoff: .none))
    try Data("Ada".utf8).write(to: source)
    for (status, field) in [
      ("401 Unauthorized", "WWW-Authenticate"), ("407 Proxy Authentication Required", "Proxy-Authenticate"),
    ] {
      let server = try TestServer { connection in
        _ = connection.body()
        connection.reply(status, ["\(field): \(challenge)"], Data("denied".utf8))
      }
      let response =
        switch form {
        case .fetch: session.fetch(server.address(), retry: policy)
        case .download: session.download(server.address(), to: folder.file("it"), retry: policy)
        case .upload: session.upload(.data(Data("Ada".utf8)), to: server.address(), method: .put, retry: policy)
        case .uploadOfFile: session.upload(.file(source), to: server.address(), method: .put, retry: policy)
        }
      let answer = await expectAnswer(response)
      #expect(answer?.statusCode == Int(status.prefix(3)) && answer?.text == "denied")
      #expect(answer?.header(field) == challenge && answer?.location == nil)
      #expect(folder.names == ["source"] && server.count == 1)
    }
  }

  @Test("10.31 a transport's response that asks for credentials is the response", arguments: [401, 407])
  func transport(status: Int) async {
    let denied = HTTPResponse(status: status, headers: ["WWW-Authenticate": "Bearer"], body: Data("no".utf8))
    let transport = StubTransport(["GET https://example.org/": [.response(denied)]])
    let response = NetworkSession(transport: transport).fetch("https://example.org/", retry: .http(backoff: .none))
    #expect(await expectAnswer(response)?.text == "no" && transport.requests.count == 1)
  }

  #if canImport(FoundationNetworking)
    @Test(
      "10.31 a challenge ends its task, and the response that has arrived is the result",
      arguments: Form.allCases, [true, false])
    func challenge(form: Form, isRetried: Bool) async throws {
      let (begun, closed, folder) = (Signal(), Signal(), try TemporaryFolder())
      let server = try TestServer.hanging(begun, closed)
      var order = TransferOrder(request: try URLRequest(server.address(), method: form == .fetch ? .get : .put))
      if isRetried { order.retriedStatuses = [401] }
      switch form {
      case .fetch: break
      case .download: order.destination = folder.file("it")
      case .upload: (order.source, order.uploadSize) = (.data(Data("Ada".utf8)), 3)
      case .uploadOfFile:
        try Data("Ada".utf8).write(to: folder.file("source"))
        (order.source, order.uploadSize) = (.file(folder.file("source")), 3)
      }
      let (response, resolver) = Promise<HTTPResponse, any Error>.makeWithResolver()
      let transfer = Transfer(order, meter: ProgressMeter(PromiseProgress(), nil), resolver)
      let carrier = FoundationCarrier(patientConfiguration, secretHeaders: [])
      let exchange = SessionExchange(order, by: carrier, transfer)
      #expect(transfer.begin(exchange))
      exchange.start()
      await begun.wait()
      let (session, delegate) = (carrier.session, carrier.delegate)
      let task = try #require(exchange.task as? URLSessionDataTask)
      delegate.urlSession(session, dataTask: task, didReceive: HTTPResponse(status: 401).response) { _ in }
      delegate.urlSession(session, dataTask: task, didReceive: Data("denied".utf8))
      let dispositions = Recorder<URLSession.AuthChallengeDisposition>()
      delegate.urlSession(session, task: task, didReceive: challenge()) {
        dispositions.record($0)
        _ = $1
      }
      if isRetried {
        let error = await expectError(response)
        #expect(error?.description.hasPrefix("The server answered 401") == true && error?.isTransient == false)
      } else {
        let answer = await expectAnswer(response)
        #expect(answer?.statusCode == 401 && answer?.text == "denied" && answer?.location == nil)
      }
      #expect(dispositions.entries == [] && !folder.names.contains("it"))
      await closed.wait()
    }

    @Test("10.31 a challenge for which Foundation has a credential gets its default handling")
    func storedCredential() throws {
      let carrier = FoundationCarrier(patientConfiguration, secretHeaders: [])
      let task = carrier.session.dataTask(with: try URLRequest("http://127.0.0.1/"))
      let credential = URLCredential(user: "ada", password: "1", persistence: .none)
      let dispositions = Recorder<URLSession.AuthChallengeDisposition>()
      carrier.delegate.urlSession(carrier.session, task: task, didReceive: challenge(proposing: credential)) {
        dispositions.record($0)
        _ = $1
      }
      #expect(dispositions.entries == [.performDefaultHandling])
    }

    private func challenge(proposing credential: URLCredential? = nil) -> URLAuthenticationChallenge {
      let space = URLProtectionSpace(
        host: "127.0.0.1", port: 80, protocol: "http", realm: "r",
        authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
      return URLAuthenticationChallenge(
        protectionSpace: space, proposedCredential: credential, previousFailureCount: 0, failureResponse: nil,
        error: nil, sender: Sender())
    }

    private final class Sender: NSObject, URLAuthenticationChallengeSender {
      func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
      func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
      func cancel(_ challenge: URLAuthenticationChallenge) {}
      func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
      func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }
  #endif
}
