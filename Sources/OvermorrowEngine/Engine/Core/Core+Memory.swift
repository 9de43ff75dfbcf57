/// The end of a core.
extension CoreRef {
  @inline(never)
  func destroy() { destroyInPlace() }

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
