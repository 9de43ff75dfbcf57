/// Counts: who keeps a core.
extension CoreRef {
  /// One more holder; see ``Owned``.
  func retain() {
    // Relaxed: a new count is only made from one that is held.
    let old = fields.count.wrappingAdd(1, ordering: .relaxed).oldValue
    // Half of what the word can count: it stops here before it could wrap, however many threads come by at a time.
    precondition(old < 1 << 31, "a promise has more than two billion holders")
  }

  /// One holder less; the last one destroys the core (E5).
  func release() {
    if fields.count.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { destroy() }
  }

  @inline(never)
  private func destroy() { destroyInPlace() }

  /// Destroys a core that nobody holds.
  @inline(__always)
  func destroyInPlace() {
    if traits.isTrivial(state) { destroyContents(isTrivial: true) } else { destroySlowly() }
  }

  /// The same, now or as soon as the destructions around this one are done.
  ///
  /// Destroying a result may end the last handle of another promise, whose result may hold another, and so on: a list of a million
  /// promises must not need a million stack frames.
  private func destroySlowly() {
    let thread = ThreadLocal.current
    guard thread.fields.disposals.enter(orDefer: self) else { return }
    destroyContents(isTrivial: false)
    while let next = thread.fields.disposals.leave() { next.destroyContents(isTrivial: false) }
  }
}

// MARK: - Memory

extension CoreRef {
  /// The words of a core before its payload.
  static var headerWords: Int { (MemoryLayout<CoreState>.size + 7) / 8 }

  /// Memory for a core whose payload has room for so many words; and the size class to give it back by.
  @inline(__always)
  static func allocate(payload words: Int) -> (memory: UnsafeMutableRawPointer, sizeClass: UInt32) {
    unsafe CoreMemory.allocate(bytes: (headerWords + words) * 8)
  }

  /// Destroys what the payload holds, then the header, then gives the memory back. Called once, by the last holder (E5).
  @inline(__always)
  private func destroyContents(isTrivial: Bool) {
    if !isTrivial { destroyPayload() }
    endOperations()
    if link.hasSideTable { endSideTable() }
    let sizeClass = traits.sizeClass
    // Unsafe: the header was initialised when the core was made; no thread has a count on it any more, nor finds it by its side table.
    unsafe pointer.deinitialize(count: 1)
    unsafe CoreMemory.free(pointer, sizeClass)
  }

  @inline(never)
  private func destroyPayload() {
    _ = perform(outcome == .value ? .destroyValue : .destroyError, nil)
  }
}
