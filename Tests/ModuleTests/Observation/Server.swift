import Observation
import Overmorrow
import OvermorrowObservation
import TestSupport

struct Offline: Error {}

/// Work that a test ends. It counts the requests to cancel.
@MainActor final class Server {
  private(set) var requests: [String] = []
  private(set) var cancelled: [String] = []
  private var resolvers: [String: Promise<Int, any Error>.Resolver] = [:]

  func send(_ request: String) -> Promise<Int, any Error> {
    let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
    requests.append(request)
    resolvers[request] = resolver
    resolver.onRequestCancel { [weak self] resolver in
      self?.cancelled.append(request)
      resolver.cancel()
    }
    return promise
  }

  /// Returns whether the request was not answered before.
  @discardableResult
  func answer(_ request: String, _ value: Int) -> Bool {
    resolvers.removeValue(forKey: request).map { $0.fulfill(with: value) } != nil
  }

  @discardableResult
  func fail(_ request: String, with error: any Error = Offline()) -> Bool {
    resolvers.removeValue(forKey: request).map { $0.reject(with: error) } != nil
  }

  @discardableResult
  func cancel(_ request: String) -> Bool { resolvers.removeValue(forKey: request).map { $0.cancel() } != nil }
}

/// A phase in a form that a test can compare.
enum Shown: Equatable {
  case idle
  case loading(Int?)
  case value(Int)
  case failed(String, Int?)

  init(_ phase: PromisePhase<Int>) {
    self =
      switch phase {
      case .idle: .idle
      case .loading(let previous): .loading(previous)
      case .value(let value): .value(value)
      case .failed(let error, let previous): .failed("\(type(of: error))", previous)
      }
  }
}

/// Returns the properties of a handle whose readers are told of a change during an action.
@MainActor
func changes<Input>(of load: PromiseLoad<Input, Int>, _ action: () -> Void) -> Set<String> {
  let told = Recorder<String>()
  func watch(_ name: String, _ read: () -> Void) {
    withObservationTracking(read) { told.record(name) }
  }
  watch("value") { _ = load.value }
  watch("error") { _ = load.error }
  watch("isLoading") { _ = load.isLoading }
  watch("progress") { _ = load.progress }
  watch("phase") { _ = load.phase }
  action()
  return Set(told.entries)
}
