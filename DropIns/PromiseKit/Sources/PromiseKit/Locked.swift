internal import Foundation

/// A value behind a lock.
struct Locked<Value>: @unchecked Sendable {
  // Sendable because `value` is used only while `lock` is held.
  private final class Content {
    let lock = NSLock()
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private let content: Content

  init(_ value: Value) { content = Content(value) }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    content.lock.withLock { body(&content.value) }
  }
}
