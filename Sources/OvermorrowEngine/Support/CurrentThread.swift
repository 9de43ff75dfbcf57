internal import COvermorrowSystem

/// The thread that calls.
package enum CurrentThread {
  package static var isMain: Bool { overmorrow_is_main_thread() }

  /// Whether this thread runs the work of a queue, such as a thread of a pool.
  package static var isOfQueue: Bool { overmorrow_runs_on_queue() }
}
