/// Work of a call that would have nested too deep. The innermost pass of the thread does the work later.
///
/// The order is that of nested calls. The work comes right after the callback that has made the call, in the order of
/// the calls of this callback. What a piece of work causes comes before the next piece.
///
/// When the callback has returned, its work therefore gets a place above the core that is then on top of the drain
/// stack. It is done when this core is on top again. So the work of a thread is a stack, too, which is interleaved with
/// the drain stacks of the passes.
///
/// ```
///   the stack of the pass:   C         B         A
///   the deferred work:          4         3 2 1      (5 and 6 were deferred after the last look: not placed yet)
/// ```
///
/// Here, work 4 belongs above core B, and work 3, 2 and 1 above core A: the pass serves C, does 4, serves B, and so on.
///
/// The work is in an array and not linked through the cores: a step may be resolved from elsewhere while it waits here,
/// so that it is also on a drain stack, which uses `following`.
struct Deferred {
  enum Work {
    /// A step that was registered on a resolved promise, and has kept its source. The right is that of a `Waiter`.
    case step
    /// A core that was resolved. The right is that of a `Drainer`.
    case core
  }

  let work: Work
  let core: CoreRef
  /// The link to the top of the drain stack above which the work belongs, determined when the callback has returned.
  var top: UInt = 0
}
