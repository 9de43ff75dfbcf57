/// A value that can be taken out once.
package final class TakeOnce<Content: Sendable>: Sendable {
  private let content: Guarded<Content?>

  package init(_ content: Content) { self.content = Guarded(content) }

  /// Takes the content out. The first caller gets the content and then owns it. Every other caller gets `nil`.
  package func take() -> Content? { content.withLock { $0.take() } }
}
