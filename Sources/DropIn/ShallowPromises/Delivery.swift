internal import Dispatch

/// Something of the user's, and the queue that goes with it: a value or an error on its way, or a callback for it.
struct Delivery<Content>: @unchecked Sendable {
  // Sendable: handed on from thread to thread, as in the code that this module is for, and never shared by it.
  let content: Content
  let queue: DispatchQueue?

  /// The same for a closure that comes later: the queue is not for that.
  var late: Delivery { Delivery(content: content, queue: nil) }

  /// Calls a closure with the content: on its own queue, else on that of the content, else right here.
  func hand(to closure: Delivery<(Content) -> Void>) {
    guard let queue = closure.queue ?? queue else { return closure.content(content) }
    queue.async { closure.content(content) }
  }
}
