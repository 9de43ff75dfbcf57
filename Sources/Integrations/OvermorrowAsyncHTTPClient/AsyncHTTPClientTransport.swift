#if AsyncHTTPClient
  public import AsyncHTTPClient
  internal import Foundation
  public import NIOCore
  internal import NIOHTTP1
  internal import NIOPosix
  public import Overmorrow
  public import OvermorrowFoundation

  #if canImport(FoundationNetworking)
    public import FoundationNetworking
  #else
    public import Foundation
  #endif

  /// Sends the requests of a `NetworkSession` through AsyncHTTPClient.
  ///
  /// ```swift
  /// let session = NetworkSession(transport: AsyncHTTPClientTransport(HTTPClient.shared))
  /// ```
  ///
  /// The configuration of the client determines connections, proxies, decompression, most time limits, and redirections
  /// that do not need a body again.
  /// The body of a response is read from its connection only as fast as the body can be written. A file is read only as
  /// fast as the file can be sent.
  public struct AsyncHTTPClientTransport: HTTPTransport {
    private let client: HTTPClient
    private let timeout: TimeAmount
    private let followsRedirections: Bool

    /// Creates a transport that uses a client.
    ///
    /// - Parameters:
    ///   - client: The client that sends the requests. The owner of the client must shut the client down after the
    ///     requests have ended.
    ///   - timeout: The longest time from the start of an attempt to the head of its response.
    ///   - followsRedirections: Whether the transport sends a body again after a redirection that keeps the method.
    ///     The client itself follows only other redirections, because it treats the body as a stream that can be read
    ///     once. Pass `false` if the configuration of the client excludes redirections, because a client does not
    ///     reveal its configuration. If `false`, such a redirection is the response.
    public init(_ client: HTTPClient, timeout: TimeAmount = .seconds(60), followsRedirections: Bool = true) {
      self.client = client
      self.timeout = timeout
      self.followsRedirections = followsRedirections
    }

    /// Sends a request through the client.
    ///
    /// - Fails: with a `URLError` for an exceeded time limit and for a connection that fails or is lost, because
    ///   another attempt may then succeed. A request that the client cancels, a malformed response and a response
    ///   without an address also give a `URLError`. Other errors are passed on unchanged.
    /// - Parameters:
    ///   - request: The method, the address and the header fields.
    ///   - body: The request body.
    ///   - receiver: The receiver of the response.
    public func send(
      _ request: URLRequest, body: UploadSource?, to receiver: HTTPReceiver
    ) -> Promise<Void, any Error> {
      Promise { () async throws in
        do {
          let (response, head) = try await respond(to: request, body, receiver)
          receiver.receive(head)
          for try await part in response.body { receiver.receive(Data(part.readableBytesView)) }
        } catch {
          throw URLError.Code(error).map { URLError($0, userInfo: [NSUnderlyingErrorKey: error]) } ?? error
        }
      }
    }
  }

  extension AsyncHTTPClientTransport {
    /// Sends a request, and sends it again after each redirection that needs the body again. Returns the response that
    /// the client then receives.
    private func respond(
      to request: URLRequest, _ body: UploadSource?, _ receiver: HTTPReceiver
    ) async throws -> (HTTPClientResponse, HTTPURLResponse) {
      let deadline = NIODeadline.now() + timeout
      var (request, repetitions) = (request, 0)
      while true {
        let response = try await client.execute(try request.forClient(body, receiver), deadline: deadline)
        guard let head = response.head(for: request) else { throw URLError(.badServerResponse) }
        // After more than one response, the client has followed a redirection, and no longer sends the body.
        guard followsRedirections, body != nil, response.history.count == 1, repetitions < Redirection.maxRepetitions,
          let next = request.sendingAgain(after: head)
        else { return (response, head) }
        (request, repetitions) = (next, repetitions + 1)
      }
    }
  }

  extension URLRequest {
    /// Returns the request in the client's representation.
    fileprivate func forClient(_ source: UploadSource?, _ receiver: HTTPReceiver) throws -> HTTPClientRequest {
      var request = HTTPClientRequest(url: url?.absoluteString ?? "")
      request.method = NIOHTTP1.HTTPMethod(rawValue: httpMethod ?? "GET")
      for (name, value) in allHTTPHeaderFields ?? [:] { request.headers.add(name: name, value: value) }
      switch source {
      case .data(let data): request.body = .stream(try Chunks(of: data, receiver), length: .known(Int64(data.count)))
      case .file(let file):
        let chunks = try Chunks(of: file, receiver)
        request.body = .stream(chunks, length: .known(chunks.size))
      case nil: break
      }
      return request
    }
  }

  extension HTTPClientResponse {
    fileprivate func head(for request: URLRequest) -> HTTPURLResponse? {
      guard let url = url ?? request.url else { return nil }
      return HTTPURLResponse(url: url, status: Int(status.code), fields: headers.map { ($0.name, $0.value) })
    }
  }

  extension URLError.Code {
    /// Creates the error code of Foundation that corresponds to an error of the client. Returns `nil` if there is no
    /// such code.
    fileprivate init?(_ error: any Error) {
      switch error as? HTTPClientError {
      case .connectTimeout?, .readTimeout?, .writeTimeout?, .deadlineExceeded?, .tlsHandshakeTimeout?,
        .getConnectionFromPoolTimeout?:
        self = .timedOut
      case .remoteConnectionClosed?: self = .networkConnectionLost
      case .cancelled?: self = .cancelled
      default:
        switch error {
        case is NIOConnectionError: self = .cannotConnectToHost
        case HTTPParserError.invalidEOFState: self = .networkConnectionLost
        case is HTTPParserError: self = .cannotParseResponse
        case let error as IOError where error.errnoCode == ECONNREFUSED: self = .cannotConnectToHost
        case is IOError: self = .networkConnectionLost
        default: return nil
        }
      }
    }
  }
#endif
