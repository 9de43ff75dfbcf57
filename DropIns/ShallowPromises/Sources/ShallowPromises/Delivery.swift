internal import Dispatch

/// A value, an error or a callback, with the queue that was given for this content. The queue is `nil` if none was
/// given.
struct Delivery<Content>: @unchecked Sendable {
  // Sendable because threads pass a delivery on and never share it, as in code for the original library.
  let content: Content
  let queue: DispatchQueue?

  /// A delivery of the same content without a queue. Closures that are registered after the result receive this
  /// delivery, because the queue of a result applies only to closures that were registered before the result.
  var withoutQueue: Delivery { Delivery(content: content, queue: nil) }

  /// Calls a closure with the content, on the queue of the closure. If the closure has no queue, calls it on the queue
  /// of the content. If there is no queue at all, calls the closure inside this call.
  func deliver(to closure: Delivery<(Content) -> Void>) {
    guard let queue = closure.queue ?? queue else { return closure.content(content) }
    queue.async { closure.content(content) }
  }
}
