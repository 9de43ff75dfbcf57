/// Destroys cores without deep recursion.
///
/// Destroying a result may end the last handle of another promise, whose result may hold another, and so on: a list
/// of a million promises must not need a million stack frames.
enum Disposal {
  /// Destroys a core that nobody holds, now or as soon as the destructions around this one are done.
  @inline(__always)
  static func destroy(_ core: CoreRef) {
    if core.isTrivial { core.destroyContents(isTrivial: true) } else { destroySlowly(core) }
  }

  private static func destroySlowly(_ core: CoreRef) {
    let thread = ThreadLocal.current
    guard thread.fields.disposals.enter(orPutOff: core) else { return }
    core.destroyContents(isTrivial: false)
    while let next = thread.fields.disposals.leave() { next.destroyContents(isTrivial: false) }
  }
}
