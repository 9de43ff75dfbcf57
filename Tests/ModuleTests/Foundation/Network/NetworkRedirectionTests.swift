import Foundation
import Overmorrow
import OvermorrowFlow
import OvermorrowFoundation
import Testing

/// The parts of a request that a redirection carries to another server, and those that it omits.
@Suite(.inTurn) struct NetworkRedirectionTests {
  @Test(
    "10.13 a redirection to another server omits secret fields, to the same server none",
    arguments: ["127.0.0.1", "localhost", nil])
  func secrets(otherHost: String?) async throws {
    let last = try TestServer.redirecting { connection in
      connection.reply("200 OK", [], Data(connection.headers.map { "\($0.key): \($0.value)\n" }.joined().utf8))
    }
    let other = try otherHost.map { host in
      try TestServer { $0.reply("302 Found", ["Location: http://\(host):\(last.port)/there"]) }
    }
    let configuration = patientConfiguration
    configuration.httpAdditionalHeaders = ["Authorization": "Basic 1", "X-Plain": "plain"]
    let session = NetworkSession(configuration: configuration, secretHeaders: ["X-Key"])
    let headers = ["Cookie": "a=1", "x-key": "2", "X-Other": "3"]
    let response = session.fetch((other ?? last).address(), headers: headers)
    let head = try #require(await expectAnswer(response)?.text)
    for secret in ["authorization", "cookie", "x-key"] {
      #expect(head.contains(secret) == (otherHost == nil), "\(head)")
    }
    #expect(head.contains("x-plain: plain") && head.contains("x-other: 3"), "\(head)")
  }

  @Test("10.1 10.8 a redirection is followed, and the result has the last answer's body")
  func followed() async throws {
    let folder = try TemporaryFolder()
    let server = try TestServer.redirecting { $0.reply("200 OK", [], Data("here".utf8)) }
    let response = await expectAnswer(patientSession.fetch(server.address("/old")))
    #expect(response?.text == "here" && response?.url?.path == "/there")
    await expectAnswer(patientSession.download(server.address("/old"), to: folder.file("it")))
    #expect(try String(contentsOf: folder.file("it"), encoding: .utf8) == "here")
    #expect(folder.names == ["it"])
  }

  /// The form of a request.
  enum Form: CaseIterable {
    case fetch, download, upload
  }

  @Test(
    "10.29 a redirection without a usable target is the response, and is not retried",
    arguments: [nil, "", "http://[", "ftp://127.0.0.1/it", "mailto:ada@example.org"], Form.allCases)
  func redirectedNowhere(target: String?, form: Form) async throws {
    let folder = try TemporaryFolder()
    let server = try TestServer { connection in
      _ = connection.body()
      connection.reply("302 Found", target.map { ["Location: \($0)"] } ?? [], Data("where?".utf8))
    }
    let (session, policy) = (patientSession, PromiseRetryPolicy.http(attempts: 3, backoff: .none))
    let source = folder.file("source")
    try Data("Ada".utf8).write(to: source)
    let response =
      switch form {
      case .fetch: session.fetch(server.address(), retry: policy)
      case .download: session.download(server.address(), to: folder.file("it"), retry: policy)
      case .upload: session.upload(.file(source), to: server.address(), method: .put, retry: policy)
      }
    let answer = await expectAnswer(response)
    #expect(answer?.statusCode == 302 && answer?.location == nil && folder.names == ["source"])
    // Foundation on Linux drops the body if it does not ask whether to follow the redirection.
    if target?.contains(":") == true, target != "http://[" { #expect(answer?.text == "where?") }
    #expect(server.count == 1)
  }

  @Test(
    "10.30 a relative target is resolved against the address of the response",
    arguments: [("other", "/a/other"), ("?page=2", "/a/b?page=2"), ("../c", "/c"), ("/d", "/d"), ("./e/", "/a/e/")])
  func relative(target: String, path: String) async throws {
    let server = try TestServer { connection in
      if connection.path == "/a/b?page=1" { return connection.reply("302 Found", ["Location: \(target)"]) }
      connection.reply("200 OK", [], Data(connection.path.utf8))
    }
    let response = await expectAnswer(patientSession.fetch(server.address("/a/b?page=1")))
    #expect(response?.text == path && response?.url?.absoluteString == server.address(path))
  }

  /// Makes a server that sets cookies and redirects, and answers with the cookies that the next request has.
  private static func settingCookies() throws -> TestServer {
    try TestServer { connection in
      switch connection.path {
      case "/login":
        let cookies = ["sid=1; Path=/", "a=2; Path=/home/", "deep=3; Path=/other", "safe=4; Secure"]
        connection.reply("302 Found", ["Location: /home/page"] + cookies.map { "Set-Cookie: \($0)" })
      case "/renew": connection.reply("303 See Other", ["Location: /home", "Set-Cookie: sid=5; Path=/"])
      case "/logout":
        connection.reply(
          "302 Found", ["Location: /home", "Set-Cookie: sid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
      default: connection.reply("200 OK", [], Data((connection.headers["cookie"] ?? "none").utf8))
      }
    }
  }

  @Test("10.26 cookies that a redirection sets, renews or removes are sent with the next request")
  func cookies() async throws {
    let server = try Self.settingCookies()
    let session = NetworkSession(configuration: patientConfiguration)
    func cookies(after path: String) async -> Set<String> {
      let text = await expectAnswer(session.fetch(server.address(path), headers: ["Cookie": "own=0"]))?.text ?? ""
      return Set(text.components(separatedBy: "; "))
    }
    #expect(await cookies(after: "/login") == ["sid=1", "a=2"])
    #expect(await cookies(after: "/renew") == ["sid=5"])
    #if canImport(FoundationNetworking)
      // Foundation on other platforms merges the cookies of the request and of the storage.
      #expect(await cookies(after: "/logout") == ["own=0"])
    #endif
  }

  @Test("10.26 cookies are not sent to another host, or if the configuration excludes them", arguments: [true, false])
  func otherCookies(isOtherHost: Bool) async throws {
    let server = try Self.settingCookies()
    let configuration = patientConfiguration
    configuration.httpShouldSetCookies = isOtherHost
    let session = NetworkSession(configuration: configuration)
    let first = try TestServer { connection in
      connection.reply(
        "302 Found", ["Location: http://localhost:\(server.port)/home", "Set-Cookie: sid=1; Path=/", "Set-Cookie: b=2"])
    }
    let address = isOtherHost ? first.address() : server.address("/login")
    #expect(await expectAnswer(session.fetch(address))?.text == "none")
  }

  @Test("10.8 a body that is sent again to another server lacks the secret fields")
  func bodyToOtherServer() async throws {
    let last = try TestServer { connection in
      let body = connection.body()
      if connection.path == "/first" { return connection.reply("308 Permanent Redirect", ["Location: /there"]) }
      let (type, secret) = (connection.headers["content-type"] ?? "", connection.headers["authorization"] ?? "none")
      connection.reply("200 OK", [], Data("\(connection.method) \(type) \(secret) ".utf8) + body)
    }
    let first = try TestServer { connection in
      _ = connection.body()
      connection.reply("307 Temporary Redirect", ["Location: http://localhost:\(last.port)/first"])
    }
    let headers = ["Authorization": "Basic 1", "Content-Type": "text/plain"]
    let sent = patientSession.fetch(first.address(), method: .post, headers: headers, body: Data("Ada".utf8))
    #expect(await expectAnswer(sent)?.text == "POST text/plain none Ada")
  }

  #if canImport(FoundationNetworking)
    @Test("10.8 a redirection that needs a stream again is the response")
    func streamedBody() async throws {
      let server = try TestServer { connection in
        _ = connection.body()
        connection.reply("307 Temporary Redirect", ["Location: /there"])
      }
      var request = URLRequest(url: try #require(URL(string: server.address())))
      request.httpMethod = "PUT"
      request.httpBodyStream = InputStream(data: Data("Ada".utf8))
      request.setValue("3", forHTTPHeaderField: "Content-Length")
      #expect(await expectAnswer(patientSession.fetch(request))?.statusCode == 307)
      #expect(server.count == 1)
    }
  #endif

  @Test("10.8 a cycle of redirections that keep the body ends")
  func cycleWithBody() async throws {
    let server = try TestServer { connection in
      _ = connection.body()
      connection.reply("307 Temporary Redirect", ["Location: /again"])
    }
    let ended = await patientSession.fetch(server.address(), body: Data("Ada".utf8)).outcome()
    #expect(ended?.value?.statusCode == 307 || ended?.error is NetworkError)
    #expect(server.count < 100)
  }
}
