import Overmorrow

/// Delivers events to an observer, on its context, and only until the token is invalidated.
///
/// A token suppresses callbacks that were registered before its invalidation. A callback that is registered afterwards
/// runs, because a token can be used again, and work that is ending may still register one here. So the reporter has a
/// promise whose cancellation the token requests, and checks that promise directly before it delivers an event. On a
/// serial context, no event follows an invalidation that happens on the same context.
struct Reporter: Sendable {
  private let context: PromiseContext
  private let receive: @Sendable (GalleryEvent) -> Void

  /// A promise that stays unresolved. Code that can cancel it stops the reporter.
  private let listening: (promise: Promise<Never, Never>, resolver: Promise<Never, Never>.Resolver)

  init(
    on context: PromiseContext, token: PromiseInvalidationToken, receive: @escaping @Sendable (GalleryEvent) -> Void
  ) {
    self.context = context
    self.receive = receive
    listening = Promise.makeWithResolver()
    // Neither the token nor the promise retains the other.
    listening.promise.requestCancelOnInvalidate(token)
  }

  /// Delivers an event.
  func callAsFunction(_ event: GalleryEvent) {
    Promise<GalleryEvent, Never>(fulfilled: event).then(on: context) { [listening, receive] event in
      if !listening.resolver.hasRequestedCancel { receive(event) }
    }
  }
}
