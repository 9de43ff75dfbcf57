internal import Overmorrow

/// Something that can be cancelled.
public protocol Cancellable {
  /// Cancels it.
  mutating func cancel()
}

/// What a promise cancels with itself.
final class LittlePromise: Sendable {
  private struct Content: @unchecked Sendable {
    // Sendable: only ever used by whoever has taken it out.
    var value: (any Cancellable)?
    var isCancelled = false
  }

  private let content = Guarded(Content())

  var value: (any Cancellable)? {
    get { content.withLock { $0 }.value }
    set {
      let new = Content(value: newValue)
      let old = content.withLock { content in
        defer { content = new }
        return content
      }
      withExtendedLifetime(old) {}
    }
  }

  /// What is to be cancelled, once.
  func take() -> (any Cancellable)? {
    content.withLock { content in
      defer { content.isCancelled = true }
      return content.isCancelled ? nil : content
    }?.value
  }

  /// Cancels it, once.
  func cancel() {
    var value = take()
    value?.cancel()
  }
}

/// A promise, whatever its value: a link of a chain that is cancelled from its end.
protocol ChainLink: AnyObject {
  var isUnresolved: Bool { get }
  var little: LittlePromise { get }
  func fail()
}
