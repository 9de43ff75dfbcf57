import Overmorrow

/// An owner whose release cancels the work it has started, and a token for the results that it shows.
@MainActor
final class Thumbnail {
  private let token = PromiseInvalidationToken()
  private var loads: [String: Promise<Int, LoadError>] = [:]
  private var cancellable: PromiseCancellable?

  func show(_ promise: Promise<Int, LoadError>) {
    token.invalidate()
    promise.then(on: .main, token: token) { print($0) }.requestCancelOnInvalidate(token)
    promise.requestCancelOnInvalidate(token)
    cancellable = promise.cancellable
  }

  func hide() {
    cancellable?.requestCancel()
    token.cancelWithoutInvalidating()
  }

  func share(_ name: String, _ promise: Promise<Int, LoadError>) -> Promise<Int, LoadError> {
    let load = promise.propagatingCancellation(on: .main) { promise in
      Task { @MainActor in self.forget(name, promise) }
    }
    loads[name] = load
    return load.makeChild()
  }

  private func forget(_ name: String, _ promise: Promise<Int, LoadError>) {
    if loads[name] == promise { loads[name] = nil }
  }
}

func cancelling(_ promise: Promise<Int, LoadError>, owner: AnyObject) throws {
  #if canImport(ObjectiveC)
    promise.requestCancelOnDeinit(owner)
  #endif
  promise.fork { $0.then { print($0) } }.ignoringCancel().requestCancel()
  try promise.fork { (child) throws(LoadError) in
    if child.result == nil { throw .offline }
  }

  let (token, other) = (PromiseInvalidationToken(invalidateOnDeinit: false), PromiseInvalidationToken())
  token.chainInvalidation(from: other, includingCancelWithoutInvalidating: false)
  token.requestCancelOnInvalidate(promise)
  print(
    token == other, Set([token]).count, token.description, token.debugDescription, token.customMirror.children.count)
}

/// Handles whose release ends their chains.
func owning(_ promise: Promise<Int, String>) {
  let (handle, other) = (promise.owned(), promise.owned())
  print(handle == other, Set([handle, other]).count)
}
