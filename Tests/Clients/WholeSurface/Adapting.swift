import Dispatch
import Overmorrow

/// The functions for adapters, in the operators of a library that does not exist.
func adapt(_ token: PromiseInvalidationToken) {
  let (promise, resolver) = PromiseAdapter.makePromise(of: Int.self, failure: LoadError.self)
  PromiseAdapter.onRequestCancelWhileHeld(resolver, on: .main) { $0.cancel() }
  let context = PromiseAdapter.context(for: .main)
  let doubled = PromiseAdapter.transformValue(promise, on: context, token: token) { .value($0 * 2) }
  let followed = PromiseAdapter.transformValue(promise, on: context) { address in
    { _ in PromiseAdapter.address(of: doubled) == address ? .result(.cancelled) : .promise(doubled) }
  }
  let recovered: Promise<Int, LoadError> = PromiseAdapter.transformError(followed, on: context, token: token) {
    .error($0)
  }
  let again: Promise<Int, LoadError> = PromiseAdapter.transformError(recovered, on: context) { _ in { .error($0) } }
  let any: Promise<Bool, Never> = PromiseAdapter.transformResult(again, on: context, token: token) {
    .value($0.isCancelled)
  }
  print(any, PromiseAdapter.observeValue(again, on: context, token: token) { _ in nil })
  PromiseAdapter.rejectOnRequestCancel(resolver, with: .offline)
  if PromiseAdapter.isUnresolved(resolver) { resolver.fulfill(with: 1) }
}

/// Closures of any isolation.
func adapt(
  _ body: @escaping @isolated(any) (Int) -> Int, _ throwing: @escaping @isolated(any) (Int) throws -> Int,
  _ end: @escaping @isolated(any) () -> Void
) throws {
  print(PromiseAdapter.context(of: body.isolation, otherwise: .utility))
  print(PromiseAdapter.plain(body)(1), try PromiseAdapter.plain(throwing)(1))
  PromiseAdapter.plain(end)()
}

/// A reference as a machine word, which only `@_spi(Handles)` connects with a promise.
func keep(_ pointer: UnsafeMutableRawPointer) {
  let address = unsafe PromiseAddress(pointer)
  address.retain()
  print(unsafe address.pointer)
  address.release()
}
