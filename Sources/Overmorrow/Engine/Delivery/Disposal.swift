/// Destroys cores without deep recursion.
///
/// Destroying a result may end the last handle of another promise, whose result may hold another, and so on: a list
/// of a million promises must not need a million stack frames. Up to ``nesting`` destructions nest; the next ones wait
/// in a list until the outermost one comes back for them.
struct Disposal {
  private var waiting: CoreRef?
  private var depth = 0

  /// How many destructions may nest on one stack.
  static let nesting = 32

  /// Destroys a core that nobody holds, now or as soon as the destructions around this one are done.
  @inline(__always)
  static func destroy(_ core: CoreRef) {
    if core.isTrivial { core.destroyContents(isTrivial: true) } else { destroySlowly(core) }
  }

  private static func destroySlowly(_ core: CoreRef) {
    let thread = unsafe ThreadLocal.current
    // Unsafe: a pointer into this thread's own stack, valid while the disposal around this call runs.
    guard let outer = unsafe thread.pointee.disposal else { return unsafe runOutermost(core, thread) }
    if unsafe outer.pointee.depth >= nesting {
      // Unsafe: nobody else can reach this core any more.
      unsafe core.fields.next = outer.pointee.waiting
      unsafe outer.pointee.waiting = core
      return
    }
    unsafe outer.pointee.depth += 1
    core.destroyContents(isTrivial: false)
    unsafe outer.pointee.depth -= 1
  }

  private static func runOutermost(_ core: CoreRef, _ thread: UnsafeMutablePointer<ThreadLocal>) {
    var disposal = Disposal()
    // Unsafe: the pointer is used by this thread only, and reset before the value goes.
    unsafe withUnsafeMutablePointer(to: &disposal) { disposal in
      unsafe thread.pointee.disposal = disposal
      core.destroyContents(isTrivial: false)
      while let next = unsafe disposal.pointee.waiting {
        unsafe disposal.pointee.waiting = next.fields.next
        next.destroyContents(isTrivial: false)
      }
      unsafe thread.pointee.disposal = nil
    }
  }
}

extension ThreadLocal {
  /// The disposal that is running on this thread.
  @inline(__always)
  fileprivate(set) var disposal: UnsafeMutablePointer<Disposal>? {
    // Unsafe: only this property reads and writes the word.
    get { unsafe words.disposal?.assumingMemoryBound(to: Disposal.self) }
    set { unsafe words.disposal = UnsafeMutableRawPointer(newValue) }
  }
}
