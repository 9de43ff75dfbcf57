extension Promise {
  /// Stops the chain here, until it is resumed.
  ///
  /// The step of this promise does not start. If it is running, it finishes, but its result is kept back: the promise
  /// stays unresolved, and no observer is called. What this promise waits for is suspended, too, as soon as all its
  /// observers are, up to the producer, which is told if it is ``PromiseSuspendable``. Does nothing if the promise is resolved,
  /// or suspended already.
  ///
  /// ```swift
  /// let page = download(url).map(on: .utility) { try parse($0) }
  /// page.suspend()  // The download pauses.
  /// page.resume()
  /// ```
  ///
  /// - Cancels: A request to cancel settles a suspended promise at once, whatever its producer does. A producer that
  ///   cancels is not kept back either.
  /// - Order: Resumed, each step runs once, on its context, in the order in which it would have run.
  /// - Note: The suspension ends when the last copy of the promise goes, as nobody could end it any more.
  public func suspend() { withExtendedLifetime(handle) { Suspensions.suspend(handle.core) } }

  /// Goes on with a chain that was suspended, here or further up.
  ///
  /// This promise and all that it waits for are resumed, so the work reaches it, unless somebody has suspended a promise
  /// in another branch that it needs nothing of. Does nothing if nothing is suspended.
  ///
  /// - Runs on: Steps run on their contexts. Those that are `.immediate` run inside this call if they were kept back.
  public func resume() { withExtendedLifetime(handle) { Suspensions.resume(handle.core) } }

  /// Whether the promise is suspended: because of a call of ``suspend()``, or because all its observers are.
  public var isSuspended: Bool { withExtendedLifetime(handle) { handle.core.state.isHeld } }
}
