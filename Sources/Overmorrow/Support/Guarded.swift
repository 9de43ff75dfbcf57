internal import Synchronization

// An exploring build has another one: `Engine/Seam/Exploring+Locks.swift`.
#if !EXPLORING
  /// A value behind a lock.
  ///
  /// A `Mutex`, and an edge that ThreadSanitizer can see: on Linux the kernel hands a contended `Mutex` from thread to
  /// thread, of which the sanitizer knows nothing, so that it would report races that are none, in our users' tests too.
  package struct Guarded<Value>: ~Copyable {
    private let mutex: Mutex<Value>
    /// Released at the end of each critical section and acquired at the start of the next.
    private let edge = Atomic(false)

    package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    package borrowing func withLock<Result, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
      try mutex.withLock { (value: inout sending Value) throws(E) -> sending Result in
        _ = edge.load(ordering: .acquiring)
        defer { edge.store(true, ordering: .releasing) }
        return try body(&value)
      }
    }
  }

  extension Guarded: Sendable {}
#endif
