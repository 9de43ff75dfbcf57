internal import Overmorrow

/// Something that can be cancelled.
public protocol Cancellable {
  /// Cancels it.
  mutating func cancel()
}

/// What a promise cancels with itself.
final class LittlePromise: Sendable {
  private struct Content: @unchecked Sendable {
    // Sendable: only the code that has taken it out uses it.
    var value: (any Cancellable)?
    var isCancelled = false
  }

  private let content = Guarded(Content())

  deinit {
    // It may be the promise before this one in a long chain, which keeps the one before it, and so on.
    if value is any ChainLink { dispose(exchange(Content())) }
  }

  var value: (any Cancellable)? {
    get { content.withLock { $0 }.value }
    set { _ = exchange(Content(value: newValue)) }
  }

  /// Puts something else in its place, and gives back what was there: that goes outside the lock.
  private func exchange(_ new: Content) -> Content {
    content.withLock { content in
      defer { content = new }
      return content
    }
  }

  /// What is to be cancelled, each time.
  func reach() -> (any Cancellable)? {
    content.withLock { content in
      content.isCancelled = true
      return content
    }.value
  }

  /// Cancels it, unless that has been done.
  func cancelNew() {
    let new = content.withLock { content in
      defer { content.isCancelled = true }
      return content.isCancelled ? nil : content
    }
    var value = new?.value
    value?.cancel()
  }
}

/// A promise, whatever its value: a link of a chain that is cancelled from its end.
protocol ChainLink: AnyObject {
  var little: LittlePromise { get }
  func fail()
}
