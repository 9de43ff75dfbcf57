import Overmorrow

/// Records the requests, and answers them when the test says so.
@MainActor
final class FakeServer<Request: Hashable & Sendable, Response: Sendable> {
  private(set) var requests: [Request] = []
  private(set) var cancelled: [Request] = []
  private var resolvers: [Request: Promise<Response, any Error>.Resolver] = [:]

  func send(_ request: Request) -> Promise<Response, any Error> {
    let (promise, resolver) = Promise<Response, any Error>.makeWithResolver()
    requests.append(request)
    resolvers[request] = resolver
    resolver.onRequestCancel { [weak self] resolver in
      self?.cancelled.append(request)
      resolver.cancel()
    }
    return promise
  }

  func answer(_ request: Request, with response: Response) { resolvers[request]?.fulfill(with: response) }

  func answer(_ request: Request, with error: any Error) { resolvers[request]?.reject(with: error) }
}
