/// The reference count of a core.
extension CoreRef {
  /// Adds a count; see ``Owned``.
  func retain() {
    // Relaxed: the caller has a count or the handle, so the core cannot end meanwhile.
    let old = fields.count.wrappingAdd(1, ordering: .relaxed).oldValue
    // The limit is half of the word's range. So the program stops before the count can wrap, even if many threads add
    // to the count at once.
    precondition(old < 1 << 31, "a promise has more than two billion holders")
  }

  /// Removes a count, which must belong to the calling code. The removal of the last count destroys the core (E5).
  @usableFromInline
  @unsafe
  func release() {
    if fields.count.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { destroy() }
  }

  @inline(never)
  private func destroy() { destroyInPlace() }

  /// Destroys a core that has no counts left.
  @inline(__always)
  func destroyInPlace() {
    if traits.isTrivial(state) { destroyContents(isTrivial: true) } else { destroySlowly() }
  }

  /// Destroys a core that has no counts left. If too many destructions are nested on this thread, the core is destroyed
  /// after the outermost of them.
  ///
  /// Destroying a result may release the last handle of another promise, whose result may contain the last handle of a
  /// third promise, and so on. A list of a million promises must not need a million stack frames.
  private func destroySlowly() {
    let thread = ThreadLocal.current
    guard thread.fields.disposals.enter(orDefer: self) else { return }
    destroyContents(isTrivial: false)
    while let next = thread.fields.disposals.leave() { next.destroyContents(isTrivial: false) }
  }
}

// MARK: - Memory

extension CoreRef {
  /// Destroys the content of the payload and then the header, and frees the memory. Called once, by the last holder
  /// (E5).
  @inline(__always)
  private func destroyContents(isTrivial: Bool) {
    if !isTrivial { destroyPayload() }
    freeOperations()
    if link.hasSideTable { releaseSideTable() }
    let sizeClass = traits.sizeClass
    // Unsafe: the header was initialised when the core was made; no thread has a count or can find the core by its side
    // table.
    unsafe pointer.deinitialize(count: 1)
    unsafe CoreMemory.free(pointer, sizeClass)
  }

  @inline(never)
  private func destroyPayload() {
    _ = perform(outcome == .value ? .destroyValue : .destroyError, nil)
  }
}
