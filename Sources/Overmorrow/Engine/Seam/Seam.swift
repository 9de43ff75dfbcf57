// Where the engine meets whoever explores it.
//
// In every normal build the two empty functions below are all there is of the seam, and nothing of it is left in what the
// compiler makes.
//
// A build with the condition `EXPLORING` has an `Atomic` and a `Guarded` of its own, so that a scheduler decides, at
// each access, which thread goes on and which value a load sees. `Documentation/0009` says how that is used.

#if !EXPLORING
  extension CoreRef {
    /// The payload is about to be read: noted by an explorer, and nothing else.
    @inlinable
    @inline(__always)
    func willReadPayload() {}

    /// The payload is about to be changed.
    @inlinable
    @inline(__always)
    func willChangePayload() {}
  }
#endif
