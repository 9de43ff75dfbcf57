internal import Foundation
internal import Overmorrow
internal import OvermorrowEngine

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One attempt of a request. The transfer receives the reports of the exchanges and resolves the promise of the
/// attempt.
///
/// A report of the exchange and a request to cancel may race. The first of the two calls takes the resolver and
/// determines the result. If the result does not contain the file, the same call removes the file. Reports of any
/// exchange other than the current exchange are ignored.
final class Transfer: Sendable {
  typealias Resolver = Promise<HTTPResponse, any Error>.Resolver

  private struct State {
    var resolver: Resolver?
    /// The current exchange; `nil` before the attempt begins, while the attempt is stopped, and after the attempt has
    /// ended.
    var exchange: (any Exchange)?
    var response: HTTPURLResponse?
    var body: ResponseBody?
    /// The length of the body; `nil` if the length is unknown.
    var expected: Int64?
    /// Whether the status ends the attempt with an error. If so, the body does not count as progress.
    var isRetried = false

    /// Returns whether an exchange is the current exchange of an attempt that has not ended.
    func isCurrent(_ exchange: any Exchange) -> Bool { resolver != nil && self.exchange === exchange }

    mutating func discardBody() {
      body?.discard()
      body = nil
    }

    /// Ends the attempt. Returns its resolver; `nil` if the attempt had ended.
    mutating func end() -> Resolver? {
      exchange = nil
      return resolver.take()
    }

    /// Returns the error of the attempt for an error of the connection. The error tells whether the connection was lost
    /// before the whole body had arrived.
    func reason(_ error: URLError) -> NetworkError {
      guard let body, error.code != .timedOut else { return .connection(error) }
      if let expected, body.count < expected { return .truncated(received: body.count, expected: expected) }
      return .connection(error.isLostConnection ? URLError(.networkConnectionLost, userInfo: error.userInfo) : error)
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

  /// Sets the exchange that is about to begin, unless the attempt has ended.
  ///
  /// - Returns: `true` if the exchange may begin.
  func begin(_ exchange: any Exchange) -> Bool {
    state.withLock { state in
      if state.resolver != nil { state.exchange = exchange }
      return state.resolver != nil
    }
  }

  /// Stops the attempt. Another exchange can later start the attempt from the beginning.
  ///
  /// - Returns: The exchange to abandon; `nil` if the attempt has ended or has no exchange.
  func stop() -> (any Exchange)? {
    state.withLock { state in
      guard state.resolver != nil else { return nil }
      state.discardBody()
      return state.exchange.take()
    }
  }

  /// The exchange that is suspended and resumed with the attempt; `nil` if there is none.
  var current: (any Exchange)? { state.withLock { $0.exchange } }

  /// Receives the head of a response. The response replaces an earlier response and its body.
  ///
  /// - Returns: `true` if the attempt continues.
  func receive(
    _ response: URLResponse, to request: URLRequest?, isWithoutBody: Bool = false, of exchange: any Exchange
  ) -> Bool {
    advance(exchange) { state throws(NetworkError) in
      guard let response = response as? HTTPURLResponse else { throw .notHTTP(response.url) }
      // An interim response, such as `100 Continue`, precedes the response.
      if response.statusCode < 200 { return }
      state.discardBody()
      // A partial response to a request without `Range` must not become the file.
      if order.destination != nil, response.statusCode == 206, request?.value(forHTTPHeaderField: "Range") == nil {
        throw .connection(URLError(.badServerResponse))
      }
      let isOK = order.takesAnyStatus || 200..<300 ~= response.statusCode
      state.body = try ResponseBody(to: order.destination, isOK: isOK)
      state.response = response
      state.isRetried = order.retriedStatuses.contains(response.statusCode)
      state.expected = isWithoutBody ? nil : response.bodyLength(method: request?.httpMethod)
    }
  }

  #if canImport(FoundationNetworking)
    /// Receives the head of a response of which Foundation reports neither the head nor the body. If the attempt has a
    /// response, does nothing.
    func receiveMissing(_ response: URLResponse, of exchange: any Exchange) {
      let isMissing = state.withLock { $0.response == nil }
      if isMissing { _ = receive(response, to: nil, isWithoutBody: true, of: exchange) }
    }
  #endif

  /// Receives a part of the body.
  ///
  /// - Returns: `true` if the attempt continues.
  func receive(_ data: Data, of exchange: any Exchange) -> Bool {
    // Writes without the lock, so that a request to cancel does not wait for the disk.
    let written = state.withLock { $0.isCurrent(exchange) ? $0.body : nil }.map { body in
      Result { () throws(NetworkError) in try body.append(data) }
    }
    return advance(exchange) { _ throws(NetworkError) in try written?.get() }
  }

  /// Returns whether an exchange is the current exchange of an attempt that has not ended.
  func isCurrent(_ exchange: any Exchange) -> Bool { state.withLock { $0.isCurrent(exchange) } }

  /// Reports the number of bytes of an upload that have been sent.
  func sent(_ count: Int64, by exchange: any Exchange) {
    if let size = order.uploadSize, isCurrent(exchange) { meter.advance(to: count, of: size) }
  }

  /// Handles the end of an exchange, and resolves the promise of the attempt.
  func complete(_ exchange: any Exchange, _ error: (any Error)?) {
    let ending = state.withLock { state -> (Resolver, PromiseResult<HTTPResponse, any Error>, Int64)? in
      guard state.isCurrent(exchange), let resolver = state.end() else { return nil }
      let count = state.body?.count ?? 0
      let result = Transfer.result(&state, error, at: order.request.url)
      return (resolver, result, order.uploadSize ?? count)
    }
    guard let (resolver, result, size) = ending else { return }
    meter.afterReports { [meter] in
      if case .value = result { meter.finish(at: size) }
      resolver.resolve(with: result)
    }
  }

  /// Cancels the promise of the attempt, unless the attempt has ended.
  ///
  /// - Returns: The exchange to abandon; `nil` if the attempt has ended or has no exchange.
  func cancel() -> (any Exchange)? {
    let (resolver, exchange) = state.withLock { state -> (Resolver?, (any Exchange)?) in
      let exchange = state.exchange
      guard let resolver = state.end() else { return (nil, nil) }
      state.discardBody()
      return (resolver, exchange)
    }
    resolver?.cancel()
    return exchange
  }

  /// Changes the state with a closure, and reports the progress. An error that the closure throws ends the attempt.
  ///
  /// - Returns: `true` if the attempt continues.
  private func advance(_ exchange: any Exchange, _ body: (inout State) throws(NetworkError) -> Void) -> Bool {
    enum Outcome {
      case ended
      case continues(Int64?, Int64?)
      case failed(Resolver, NetworkError)
    }
    let outcome = state.withLock { state -> Outcome in
      guard state.isCurrent(exchange) else { return .ended }
      do throws(NetworkError) {
        try body(&state)
        return .continues(state.isRetried ? nil : state.body?.count ?? 0, state.expected)
      } catch {
        state.discardBody()
        return state.end().map { .failed($0, error) } ?? .ended
      }
    }
    switch outcome {
    case .ended: return false
    case .continues(let count, let total):
      if let count, order.uploadSize == nil { meter.advance(to: count, of: total) }
      return true
    case .failed(let resolver, let error):
      meter.afterReports { resolver.reject(with: error) }
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
        throw state.reason(error)
      }
      guard let response = state.response, let body = state.body else {
        // A transport has reported no response.
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
  /// Whether this error says that the connection was lost while a body arrived.
  fileprivate var isLostConnection: Bool {
    // The library below Foundation on Linux has a code for this error, but Foundation passes on only the text.
    code == .unknown && localizedDescription.hasPrefix("transfer closed with ")
  }

  /// Creates an error that wraps an error of another type and has the description of that error.
  fileprivate init(wrapping error: any Error) {
    self.init(.unknown, userInfo: [NSUnderlyingErrorKey: error, NSLocalizedDescriptionKey: "\(error)"])
  }
}
