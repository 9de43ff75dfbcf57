/// Marks in a word of a core's payload, which any thread may set.
@usableFromInline
@safe
struct PayloadMarks: @unchecked Sendable {
  // Sendable: what the pointer leads to is atomic.
  private let marks: UnsafeMutablePointer<Atomic<UInt8>>

  /// - Parameters:
  ///   - core: Stays until ``end()``. Nobody else has seen it.
  ///   - word: The number of the word, which nothing else is in.
  init(of core: CoreRef, word: Int) {
    // Unsafe, here and below: the word is there for these, and stays as long as the core.
    unsafe marks = (core.payload + word * 8).bindMemory(to: Atomic<UInt8>.self, capacity: 1)
    unsafe marks.initialize(to: Atomic(0))
  }

  /// Sets a mark. Acquire-release: who comes second sees what the first has done.
  ///
  /// - Returns: The marks that have been set before.
  func set(_ mark: UInt8) -> UInt8 { unsafe marks.pointee.bitwiseOr(mark, ordering: .acquiringAndReleasing).oldValue }

  /// Nobody sets a mark any more.
  func end() { unsafe marks.deinitialize(count: 1) }
}
