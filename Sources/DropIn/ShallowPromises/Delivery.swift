internal import Dispatch

/// A value, an error or a callback, with the queue that was given for it.
struct Delivery<Content>: @unchecked Sendable {
  // Sendable because it is passed from one thread to the next, as in code for the original library, and never shared.
  let content: Content
  let queue: DispatchQueue?

  /// The same content without its queue, for a closure that is registered after the result: the queue of a result
  /// applies only to the closures registered before.
  var withoutQueue: Delivery { Delivery(content: content, queue: nil) }

  /// Calls a closure with the content: on the closure's queue if it has one, otherwise on the queue of the content,
  /// otherwise inside this call.
  func deliver(to closure: Delivery<(Content) -> Void>) {
    guard let queue = closure.queue ?? queue else { return closure.content(content) }
    queue.async { closure.content(content) }
  }
}
