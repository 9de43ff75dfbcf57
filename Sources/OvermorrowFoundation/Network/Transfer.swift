internal import Foundation
internal import Overmorrow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One attempt of a request: receives the session's callbacks, and resolves its promise.
///
/// The delegate's queue and a request to cancel may meet here; the one that takes the resolver decides, and leaves no
/// file behind that the caller does not get. Callbacks of an exchange that it does not have, or no longer has, are
/// ignored.
final class Transfer: Sendable {
  typealias Resolver = Promise<HTTPResponse, any Error>.Resolver

  private struct State {
    var resolver: Resolver?
    /// `nil` before it begins, while it is stopped, and when it is over or has been given up.
    var exchange: (any Exchange)?
    var response: HTTPURLResponse?
    var body: ResponseBody?
    /// How long the body is, if that can be told.
    var expected: Int64?
    /// Whether the status ends the attempt with an error: the body is then no progress.
    var isRetried = false

    /// Whether it goes on, by this exchange.
    func isOn(_ exchange: any Exchange) -> Bool { resolver != nil && self.exchange === exchange }

    mutating func discardBody() {
      body?.discard()
      body = nil
    }

    /// What a lost connection means where it is known how much was still to come.
    func cut(by error: URLError) -> NetworkError? {
      guard let body, let expected, body.count < expected, error.code != .timedOut else { return nil }
      return .truncated(received: body.count, expected: expected)
    }
  }

  let order: TransferOrder
  private let meter: ProgressMeter
  private let state: Guarded<State>

  init(_ order: TransferOrder, meter: ProgressMeter, _ resolver: Resolver) {
    self.order = order
    self.meter = meter
    state = Guarded(State(resolver: resolver))
  }

  /// An exchange is about to begin, unless the attempt has ended.
  ///
  /// - Returns: Whether it may.
  func begin(_ exchange: any Exchange) -> Bool {
    state.withLock { state in
      if state.resolver != nil { state.exchange = exchange }
      return state.resolver != nil
    }
  }

  /// Stops for a while, to begin again from the start with another exchange.
  ///
  /// - Returns: The exchange that is to be given up.
  func stop() -> (any Exchange)? {
    state.withLock { state in
      guard state.resolver != nil else { return nil }
      state.discardBody()
      return state.exchange.take()
    }
  }

  /// The exchange, to be suspended and resumed.
  var current: (any Exchange)? { state.withLock { $0.exchange } }

  /// A response has begun; a later one replaces it.
  ///
  /// - Returns: Whether its body is wanted.
  func receive(_ response: URLResponse, to request: URLRequest?, of exchange: any Exchange) -> Bool {
    advance(exchange) { state throws(NetworkError) in
      guard let response = response as? HTTPURLResponse else { throw .notHTTP(response.url) }
      state.discardBody()
      // A part, which was not asked for, is not the file.
      if order.destination != nil, response.statusCode == 206, request?.value(forHTTPHeaderField: "Range") == nil {
        throw .connection(URLError(.badServerResponse))
      }
      let isOK = order.takesAnyStatus || 200..<300 ~= response.statusCode
      state.body = try ResponseBody(to: order.destination, isOK: isOK)
      state.response = response
      state.isRetried = order.retriedStatuses.contains(response.statusCode)
      state.expected = response.bodyLength(method: request?.httpMethod)
    }
  }

  /// A part of the body has come.
  ///
  /// - Returns: Whether more is wanted.
  func receive(_ data: Data, of exchange: any Exchange) -> Bool {
    // Without the lock, so that a request to cancel does not wait for the disk.
    let written = state.withLock { $0.isOn(exchange) ? $0.body : nil }.map { body in
      Result { () throws(NetworkError) in try body.append(data) }
    }
    return advance(exchange) { _ throws(NetworkError) in try written?.get() }
  }

  /// Whether the attempt goes on by this exchange.
  func isOn(_ exchange: any Exchange) -> Bool { state.withLock { $0.isOn(exchange) } }

  /// Parts of what is uploaded have gone.
  func sent(_ count: Int64, by exchange: any Exchange) {
    if let size = order.uploadSize, isOn(exchange) { meter.advance(to: count, of: size) }
  }

  /// Nothing more will come.
  func complete(_ exchange: any Exchange, _ error: (any Error)?, at url: URL?) {
    let ending = state.withLock { state -> (Resolver, PromiseResult<HTTPResponse, any Error>, Int64)? in
      guard state.exchange === exchange else { return nil }
      state.exchange = nil
      guard let resolver = state.resolver.take() else { return nil }
      let count = state.body?.count ?? 0
      let result = Transfer.result(&state, error, at: url)
      return (resolver, result, order.uploadSize ?? count)
    }
    guard let (resolver, result, size) = ending else { return }
    meter.afterwards { [meter] in
      if case .value = result { meter.finish(at: size) }
      resolver.resolve(with: result)
    }
  }

  /// Ends the attempt, unless it has ended.
  ///
  /// - Returns: The exchange that is to be given up.
  func cancel() -> (any Exchange)? {
    let (resolver, exchange) = state.withLock { state -> (Resolver?, (any Exchange)?) in
      guard let resolver = state.resolver.take() else { return (nil, nil) }
      state.discardBody()
      return (resolver, state.exchange.take())
    }
    resolver?.cancel()
    return exchange
  }

  /// Goes a step further, and tells of it; an error ends the attempt.
  private func advance(_ exchange: any Exchange, _ body: (inout State) throws(NetworkError) -> Void) -> Bool {
    enum Outcome {
      case over
      case goesOn(Int64?, Int64?)
      case failed(Resolver, NetworkError)
    }
    let outcome = state.withLock { state -> Outcome in
      guard state.isOn(exchange) else { return .over }
      do throws(NetworkError) {
        try body(&state)
        return .goesOn(state.isRetried ? nil : state.body?.count ?? 0, state.expected)
      } catch {
        state.discardBody()
        return state.resolver.take().map { .failed($0, error) } ?? .over
      }
    }
    switch outcome {
    case .over: return false
    case .goesOn(let count, let total):
      if let count, order.uploadSize == nil { meter.advance(to: count, of: total) }
      return true
    case .failed(let resolver, let error):
      meter.afterwards { resolver.reject(with: error) }
      return false
    }
  }

  private static func result(
    _ state: inout State, _ error: (any Error)?, at url: URL?
  ) -> PromiseResult<HTTPResponse, any Error> {
    do throws(NetworkError) {
      if let error {
        if let error = error as? NetworkError { throw error }
        let error = error as? URLError ?? URLError(wrapping: error)
        if error.code == .cancelled {
          state.body?.discard()
          return .cancelled
        }
        throw state.cut(by: error) ?? .connection(error)
      }
      guard let response = state.response, let body = state.body else {
        // Such as a redirection that does not say where to.
        throw .connection(URLError(.badServerResponse, userInfo: url.map { [NSURLErrorFailingURLErrorKey: $0] } ?? [:]))
      }
      if let expected = state.expected, body.count < expected {
        throw .truncated(received: body.count, expected: expected)
      }
      let (data, location) = try body.finish()
      let whole = HTTPResponse(response, data: data, location: location)
      if state.isRetried { throw .status(whole) }
      return .value(whole)
    } catch {
      state.body?.discard()
      return .error(error)
    }
  }
}

extension URLError {
  /// An error of another kind, whose text it has.
  fileprivate init(wrapping error: any Error) {
    self.init(.unknown, userInfo: [NSUnderlyingErrorKey: error, NSLocalizedDescriptionKey: "\(error)"])
  }
}
