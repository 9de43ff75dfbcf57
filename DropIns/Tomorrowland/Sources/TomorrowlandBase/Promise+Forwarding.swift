package import Overmorrow

// Overmorrow's own operators and producers under other names. The module `Tomorrowland` declares operators with the
// same signatures, which hide those of Overmorrow, so it can call Overmorrow's only through this module.
//
// Programs for Tomorrowland compare promises, and expect a new promise from each operator. If an operator of Overmorrow
// returns the promise on which it is called, the functions here return a child of this promise.

extension Promise {
  package init(
    running body: @escaping @Sendable (_ resolver: Resolver) -> Void, on context: PromiseContext, fileID: StaticString,
    line: UInt
  ) {
    self.init(on: context, fileID: fileID, line: line, body)
  }

  package func observeError(
    on context: PromiseContext, token: PromiseInvalidationToken?, _ callback: @escaping @Sendable (Failure) -> Void
  ) -> Promise {
    new(self.catch(on: context, token: token, callback))
  }

  package func observeResult(
    on context: PromiseContext, token: PromiseInvalidationToken?,
    _ callback: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    new(always(on: context, token: token, callback))
  }

  package func observeCancellation(
    on context: PromiseContext, token: PromiseInvalidationToken?, _ callback: @escaping @Sendable () -> Void
  ) -> Promise {
    new(onCancel(on: context, token: token, callback))
  }

  /// Does the same as `tap(on:token:_:)`, which returns this promise in Tomorrowland too.
  package func reportResult(
    on context: PromiseContext, token: PromiseInvalidationToken?,
    _ callback: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    tap(on: context, token: token, callback)
  }

  package func propagatingCancellation(
    calling cancelRequested: @escaping @Sendable (_ promise: Promise) -> Void, on context: PromiseContext
  ) -> Promise {
    propagatingCancellation(on: context, cancelRequested: cancelRequested)
  }

  private func new(_ promise: Promise) -> Promise { promise == self ? makeChild() : promise }
}

extension Promise.Resolver {
  package func onRequestCancel(
    calling callback: @escaping @Sendable (Promise.Resolver) -> Void, on context: PromiseContext
  ) {
    PromiseAdapter.onRequestCancelWhileHeld(self, on: context, callback)
  }
}

extension LazyPromise {
  package init(
    running body: @escaping @Sendable (_ resolver: Resolver) -> Void, on context: PromiseContext, fileID: StaticString,
    line: UInt
  ) {
    self.init(on: context, fileID: fileID, line: line, body)
  }
}
