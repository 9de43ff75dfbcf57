/// The right to serve the waiters of a resolved core, and to close its list (`StateWord`, "Who may touch what").
///
/// The publication of a result gives this right if there are waiters. A drainer has the pending count of its core. If a
/// drainer were dropped, the remaining waiters would never be served, so the end of an unused drainer stops the
/// program.
@usableFromInline
@frozen  // `discard self` in `leave` needs this in embedded Swift (`Scripts/thirty-two-bits`)
@safe
struct Drainer: ~Copyable {
  @usableFromInline let core: CoreRef

  /// Creates the drainer after a publication, or takes it over from a list of the engine in which it was left.
  @unsafe
  init(of core: CoreRef) { self.core = core }

  deinit { rightWasDropped("the drainer of a promise was dropped") }

  /// The waiter registered last, which stays in the list. The list is not empty.
  @inline(__always)
  var newestWaiter: CoreRef {
    // Unsafe: only the drainer takes waiters out, and there is one.
    unsafe CoreRef(address: core.state.list)
  }

  /// Takes all waiters out of the list. Returns the waiter registered first, to which the others are linked in order.
  /// The list is not empty.
  func takeWaiters() -> CoreRef {
    // `handingOut` never returns `nil`, so the zero is never used.
    let newest = core.updateState { $0.handingOut() } ?? 0
    // Unsafe: the list was taken out of the word, so its nodes belong to this thread (I4, E2).
    var node = unsafe CoreRef(address: newest)
    var done: CoreRef?
    while let following = node.fields.next.value {
      node.fields.next.value = done
      done = node
      node = following
    }
    node.fields.next.value = done
    return node
  }

  /// Closes the list if `waiter` is its only waiter, and takes out `waiter`. If `waiter` is `nil`, closes the list if
  /// it is empty. In every other case, returns `false` and changes nothing.
  @inline(__always)
  func close(taking waiter: CoreRef? = nil) -> Bool {
    core.updateState { word in word.closing(taking: waiter?.address ?? 0).map { ($0, true) } } == true
  }

  /// Releases the pending count after the list was closed.
  @inline(__always)
  consuming func releasePendingCount() {
    // Unsafe: the drainer's count.
    unsafe leave().release()
  }

  /// Leaves the right in a list of the engine, or to another thread.
  @inline(__always)
  consuming func leave() -> CoreRef {
    let core = core
    discard self
    return core
  }
}
