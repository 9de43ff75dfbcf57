// Suspending promises, which this library had before version 1.0. The compiler's message says what to write instead.

extension Promise {
  /// A former way to suspend a chain. A ``PromisePause`` replaces it.
  @available(
    *, unavailable, message: "suspend a 'PromisePause', and pass contexts under it: 'on: .main.paused(by: pause)'"
  )
  public func suspend() {}

  /// A former way to resume a chain. A ``PromisePause`` replaces it.
  @available(*, unavailable, message: "resume the 'PromisePause' of the contexts: 'on: .main.paused(by: pause)'")
  public func resume() {}

  /// Whether a chain was suspended. A ``PromisePause`` replaces this property.
  @available(*, unavailable, message: "read 'isSuspended' of the 'PromisePause' of the contexts")
  public var isSuspended: Bool { false }
}

extension TokenPromise {
  /// A former way to suspend a chain. A ``PromisePause`` replaces it.
  @available(
    *, unavailable, message: "suspend a 'PromisePause', and pass contexts under it: 'on: .main.paused(by: pause)'"
  )
  public func suspend() {}

  /// A former way to resume a chain. A ``PromisePause`` replaces it.
  @available(*, unavailable, message: "resume the 'PromisePause' of the contexts: 'on: .main.paused(by: pause)'")
  public func resume() {}

  /// Whether a chain was suspended. A ``PromisePause`` replaces this property.
  @available(*, unavailable, message: "read 'isSuspended' of the 'PromisePause' of the contexts")
  public var isSuspended: Bool { false }
}

extension BoundPromise {
  /// A former way to suspend a chain. A ``PromisePause`` replaces it.
  @available(
    *, unavailable, message: "suspend a 'PromisePause', and pass contexts under it: 'on: .main.paused(by: pause)'"
  )
  public func suspend() {}

  /// A former way to resume a chain. A ``PromisePause`` replaces it.
  @available(*, unavailable, message: "resume the 'PromisePause' of the contexts: 'on: .main.paused(by: pause)'")
  public func resume() {}

  /// Whether a chain was suspended. A ``PromisePause`` replaces this property.
  @available(*, unavailable, message: "read 'isSuspended' of the 'PromisePause' of the contexts")
  public var isSuspended: Bool { false }
}

extension Promise.Resolver {
  /// A former way to suspend work together with its promise. ``PromisePause/attach(_:until:)`` replaces it.
  @available(
    *, unavailable,
    message: "use 'pause.attach(work, until: promise)'; it never calls 'cancel()', so call that in 'onRequestCancel'"
  )
  public func attach(_ work: any PromiseSuspendable) {}
}
