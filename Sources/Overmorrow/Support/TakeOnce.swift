/// A value that can be taken out once.
final class TakeOnce<Content: Sendable>: Sendable {
  private let content: Guarded<Content?>

  init(_ content: Content) { self.content = Guarded(content) }

  /// The content, for the first caller only, which then owns it.
  func take() -> Content? { content.withLock { $0.take() } }
}
