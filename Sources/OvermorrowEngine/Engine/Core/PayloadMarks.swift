/// Marks in a word of a core's payload. Each mark is one bit. Any thread may set a mark.
@usableFromInline
@safe
struct PayloadMarks: @unchecked Sendable {
  // Sendable: what the pointer leads to is atomic.
  private let marks: UnsafeMutablePointer<Atomic<UInt8>>

  /// - Parameters:
  ///   - core: The core, which outlives ``deinitialize()``.
  ///   - word: The index of a word that is used only for these marks.
  init(in core: CoreRef, word: Int) {
    // Unsafe, here and below: the word is reserved for these marks, and lives as long as the core.
    unsafe marks = (core.payload + word * 8).bindMemory(to: Atomic<UInt8>.self, capacity: 1)
  }

  /// Initialises the word without marks. Must be called first, before the core is shared.
  func initialize() { unsafe marks.initialize(to: Atomic(0)) }

  /// Sets a mark. Acquire-release: the second thread that sets a mark sees everything that the first has done.
  ///
  /// - Returns: The marks that were set before.
  func set(_ mark: UInt8) -> UInt8 { unsafe marks.pointee.bitwiseOr(mark, ordering: .acquiringAndReleasing).oldValue }

  /// Returns whether a mark is set. Acquire: a thread that sees the mark sees everything that was done before the mark
  /// was set.
  func contain(_ mark: UInt8) -> Bool { unsafe marks.pointee.load(ordering: .acquiring) & mark != 0 }

  /// Deinitialises the word. No mark is set after this call.
  func deinitialize() { unsafe marks.deinitialize(count: 1) }
}
