import Overmorrow

/// Delivers events to whoever watches the work: on their context, and only until the token is invalidated.
///
/// A callback with a token is dropped if it was registered before the token was invalidated; one that is registered
/// afterwards runs, since a token can be used again. Here work that is coming to its end may still register one. So the
/// reporter has a promise of its own, which is asked to cancel when the token is invalidated, and looks at that right
/// before it delivers: on a context that runs one thing at a time, not an event comes after an invalidation there.
struct Reporter: Sendable {
  private let context: PromiseContext
  private let receive: @Sendable (GalleryEvent) -> Void

  /// Stays unresolved. Whoever can cancel it stops the reporter.
  private let listening: (promise: Promise<Never, Never>, resolver: Promise<Never, Never>.Resolver)

  init(
    on context: PromiseContext, token: PromiseInvalidationToken, receive: @escaping @Sendable (GalleryEvent) -> Void
  ) {
    self.context = context
    self.receive = receive
    listening = Promise.makeWithResolver()
    // The token does not keep the promise, and the promise does not keep the token.
    listening.promise.requestCancelOnInvalidate(token)
  }

  /// Delivers an event.
  func callAsFunction(_ event: GalleryEvent) {
    Promise<GalleryEvent, Never>(fulfilled: event).then(on: context) { [listening, receive] event in
      if !listening.resolver.hasRequestedCancel { receive(event) }
    }
  }
}
