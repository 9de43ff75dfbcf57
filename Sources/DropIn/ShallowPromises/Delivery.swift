internal import Dispatch

/// Something of the user's, and the queue that goes with it: a value or an error on its way, or a callback for it.
struct Delivery<Content>: @unchecked Sendable {
  // Sendable: handed on from thread to thread, as in the code that this module is for, and never shared by it.
  let content: Content
  let queue: DispatchQueue?

  /// Calls a closure with the content: on its own queue, else on that of the content, else right here.
  ///
  /// - Parameter isLate: Whether the closure has come after the content: then the queue of the content is not for it.
  func hand(to closure: Delivery<(Content) -> Void>, isLate: Bool) {
    guard let queue = closure.queue ?? (isLate ? nil : queue) else { return closure.content(content) }
    queue.async { closure.content(content) }
  }
}
