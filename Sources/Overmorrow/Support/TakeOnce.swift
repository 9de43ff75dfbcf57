/// A value that can be taken out once.
final class TakeOnce<Content: Sendable>: Sendable {
  private let content: Guarded<Content?>

  init(_ content: Content) { self.content = Guarded(content) }

  /// The content for the first caller, which then owns it; `nil` for every other caller.
  func take() -> Content? { content.withLock { $0.take() } }
}
