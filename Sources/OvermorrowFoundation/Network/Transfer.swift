internal import Foundation
internal import Overmorrow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One attempt of a request: takes what the session tells of it, and resolves its promise.
///
/// The delegate's queue and a request to cancel may meet here; whoever takes the resolver decides, and leaves no
/// file behind that the caller does not get. What is told of a task that it does not have (any more) is left aside.
final class Transfer: Sendable {
  typealias Resolver = Promise<HTTPResponse, any Error>.Resolver

  private struct State {
    var resolver: Resolver?
    /// `nil` before it begins, while it is stopped, and when it is over or has been given up.
    var task: URLSessionTask?
    var response: HTTPURLResponse?
    var body: ResponseBody?
    /// How long the body is, if that can be told.
    var expected: Int64?

    /// Whether it goes on, by this task.
    func isOn(_ task: URLSessionTask) -> Bool { resolver != nil && self.task === task }

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

  /// A task is about to begin, unless the attempt has ended.
  ///
  /// - Returns: Whether it may.
  func begin(_ task: URLSessionTask) -> Bool {
    state.withLock { state in
      if state.resolver != nil { state.task = task }
      return state.resolver != nil
    }
  }

  /// Stops for a while, to begin again from the start with another task.
  ///
  /// - Returns: The task that is to be given up.
  func stop() -> URLSessionTask? {
    state.withLock { state in
      guard state.resolver != nil else { return nil }
      state.discardBody()
      return state.task.take()
    }
  }

  /// The task, to be suspended and resumed.
  var current: URLSessionTask? { state.withLock { $0.task } }

  /// A response has begun; a later one replaces it.
  ///
  /// - Returns: Whether its body is wanted.
  func receive(_ response: URLResponse, of task: URLSessionTask) -> Bool {
    advance(task) { state throws(NetworkError) in
      guard let response = response as? HTTPURLResponse else { throw .notHTTP(response.url) }
      state.discardBody()
      // A part, which nobody has asked for, is not the file.
      let request = task.currentRequest
      if order.destination != nil, response.statusCode == 206, request?.value(forHTTPHeaderField: "Range") == nil {
        throw .connection(URLError(.badServerResponse))
      }
      let isOK = order.takesAnyStatus || 200..<300 ~= response.statusCode
      state.body = try ResponseBody(to: order.destination, isOK: isOK)
      state.response = response
      state.expected = response.bodyLength(method: request?.httpMethod)
    }
  }

  /// A part of the body has come.
  ///
  /// - Returns: Whether more is wanted.
  func receive(_ data: Data, of task: URLSessionTask) -> Bool {
    // Without the lock, so that a request to cancel does not wait for the disk.
    let written = state.withLock { $0.isOn(task) ? $0.body : nil }.map { body in
      Result { () throws(NetworkError) in try body.append(data) }
    }
    return advance(task) { _ throws(NetworkError) in try written?.get() }
  }

  /// Whether the attempt goes on by this task.
  func isOn(_ task: URLSessionTask) -> Bool { state.withLock { $0.isOn(task) } }

  /// Parts of what is uploaded have gone.
  func sent(_ count: Int64, by task: URLSessionTask) {
    if let size = order.uploadSize, isOn(task) { meter.advance(to: count, of: size) }
  }

  /// Nothing more will come.
  func complete(_ task: URLSessionTask, _ error: (any Error)?) {
    let ending = state.withLock { state -> (Resolver, PromiseResult<HTTPResponse, any Error>, Int64)? in
      guard state.task === task else { return nil }
      state.task = nil
      guard let resolver = state.resolver.take() else { return nil }
      let count = state.body?.count ?? 0
      let result = Transfer.result(&state, error, at: task.currentRequest?.url)
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
  /// - Returns: The task that is to be given up.
  func cancel() -> URLSessionTask? {
    let (resolver, task) = state.withLock { state -> (Resolver?, URLSessionTask?) in
      guard let resolver = state.resolver.take() else { return (nil, nil) }
      state.discardBody()
      return (resolver, state.task.take())
    }
    resolver?.cancel()
    return task
  }

  /// Goes a step further, and tells of it; an error ends the attempt.
  private func advance(_ task: URLSessionTask, _ body: (inout State) throws(NetworkError) -> Void) -> Bool {
    enum Outcome {
      case over
      case goesOn(Int64, Int64?)
      case failed(Resolver, NetworkError)
    }
    let outcome = state.withLock { state -> Outcome in
      guard state.isOn(task) else { return .over }
      do throws(NetworkError) {
        try body(&state)
        return .goesOn(state.body?.count ?? 0, state.expected)
      } catch {
        state.discardBody()
        return state.resolver.take().map { .failed($0, error) } ?? .over
      }
    }
    switch outcome {
    case .over: return false
    case .goesOn(let count, let total):
      if order.uploadSize == nil { meter.advance(to: count, of: total) }
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
        let error = error as? URLError ?? URLError(.unknown, userInfo: [NSUnderlyingErrorKey: error])
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
      return .value(HTTPResponse(response, data: data, location: location))
    } catch {
      state.body?.discard()
      return .error(error)
    }
  }
}
