internal import Dispatch
internal import Overmorrow

/// An object or a value that can be cancelled.
public protocol Cancellable {
  /// Cancels this object or value.
  mutating func cancel()
}

/// A holder of the work that is cancelled together with a promise.
final class LittlePromise: @unchecked Sendable {
  // Sendable because `content` is used only on the queue, and by `deinit`.

  private struct Content: @unchecked Sendable {
    // Sendable because only the code that has taken the value out uses it.
    var value: (any Cancellable)?
    var isCancelled = false
  }

  /// A queue that serves as the lock of all objects of this class. No user code runs on it. A lock in each object would
  /// make each promise larger.
  private static let lock = DispatchQueue(label: "ShallowPromises")

  private var content: Content

  init(_ value: (any Cancellable)?) { content = Content(value: value) }

  deinit {
    // In a long chain, the value may be the previous promise, and each promise retains the promise before it. A loop
    // releases these promises, so that the stack does not overflow.
    if content.value is any ChainLink {
      _ = Overmorrow.Promise<Content, Never>(fulfilled: exchange(Content()))
    }
  }

  var value: (any Cancellable)? {
    get { Self.lock.sync { content }.value }
    set { _ = exchange(Content(value: newValue)) }
  }

  /// Replaces the content and returns the old content, so that the caller releases the old content outside the lock.
  private func exchange(_ new: Content) -> Content {
    Self.lock.sync {
      defer { content = new }
      return content
    }
  }

  /// Marks the value as cancelled. Returns the value, even if it was already marked.
  func markCancelled() -> (any Cancellable)? {
    Self.lock.sync {
      content.isCancelled = true
      return content
    }.value
  }

  /// Cancels the value if it has not been cancelled.
  func cancelOnce() {
    let new = Self.lock.sync { () -> Content? in
      defer { content.isCancelled = true }
      return content.isCancelled ? nil : content
    }
    var value = new?.value
    value?.cancel()
  }
}

/// A promise, whatever the type of its value: a link of a chain that is cancelled from its end.
protocol ChainLink: AnyObject {
  var little: LittlePromise { get }
  func fail()
}
