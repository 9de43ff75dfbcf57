internal import Synchronization

// An exploring build has another one: `Engine/Seam`.
#if !EXPLORING
  typealias Atomic<Value: AtomicRepresentable> = Synchronization.Atomic<Value>
#endif
