import Overmorrow

// Former names of this library: the compiler reports the new name, and offers a fix-it.

final class Controller: PromiseOwner {  // error: 'PromiseOwner' is unavailable: store a 'PromiseInvalidationToken()'
  let promiseLifetime = PromiseLifetime()  // error: 'PromiseLifetime' has been renamed to 'PromiseInvalidationToken'
  var running: PromiseOwnership?  // error: 'PromiseOwnership' has been renamed to 'PromiseCancellable'

  func load() {
    running = loadPage(1).then { note($0.title) }.owned()
    loadPage(2).bound(to: Screen()).requestCancelOnDeinit()  // error: 'requestCancelOnDeinit()' is unavailable: store a
  }
}

final class Screen: Sendable {}

func limited(_ token: PromiseInvalidationToken) {
  loadPage(1).timeout(delay: .seconds(3)).catch { report($0) }  // error: 'timeout(on:delay:clock:)' has been renamed
  _ = loadPage(1).withToken(token).timeout(on: .main, delay: .seconds(3))  // error: 'timeout(on:delay:clock:)' has been
  _ = loadPage(1).bound(to: Screen()).timeout(delay: .zero)  // error: 'timeout(on:delay:clock:)' has been renamed
}

func completing(_ resolver: Promise<Int, any Error>.Resolver) {
  resolver.handleCallback()(1, nil)  // error: 'handleCallback(isCancelError:)' has been renamed to 'completionHandler(
  _ = DelayedPromise<Int, Never>(on: .main) { _ in }  // error: 'DelayedPromise' has been renamed to 'LazyPromise'
  PromiseDiagnostics.sink = nil  // error: 'sink' has been renamed to 'handler'
}

func suspended(_ resolver: Promise<Int, any Error>.Resolver, _ work: any PromiseSuspendable) {
  resolver.attach(work)  // error: 'attach' is unavailable: use 'pause.attach(work, until: promise)'
  loadPage(1).suspend()  // error: 'suspend()' is unavailable: suspend a 'PromisePause', and pass contexts under it
  loadPage(1).resume()  // error: 'resume()' is unavailable: resume the 'PromisePause' of the contexts
  _ = loadPage(1).isSuspended  // error: 'isSuspended' is unavailable: read 'isSuspended' of the 'PromisePause'
  loadPage(1).bound(to: Screen()).suspend()  // error: 'suspend()' is unavailable: suspend a 'PromisePause'
}

func handled(_ error: any Error) {
  switch error {
  case PromiseCallbackError.apiMismatch:  // error: 'PromiseCallbackError' has been renamed to 'PromiseError'
    show(1)
  case PromiseOwnerError.contextDeallocated:  // error: 'PromiseOwnerError' has been renamed to 'PromiseError'
    show(2)
  default: show(3)
  }
}

func combined(_ numbers: [String: Promise<Int, any Error>]) {
  _ = when(anyFulfilled: numbers)  // error: 'when(anyFulfilled:)' is unavailable: use 'when(settled:)'
}

func stored(
  _ results: PromiseKeyedResults<String, Int, any Error>,  // error: 'PromiseKeyedResults' is unavailable
  _ errors: PromiseKeyedErrors<String, any Error>,  // error: 'PromiseKeyedErrors' is unavailable
  _ missing: PromiseMissingKeyError<String>  // error: 'PromiseMissingKeyError' is unavailable: 'when(settled:)' gives
) {}
