/// Slots for work on its way to a global queue: see ``Lane``.
///
/// A slab lives until all its turns have come and the thread that fills it has left it: `left` counts them. It is in the list of
/// its lane as long as there may be work in it. It is aligned to its size, so that the address of a slot tells the slab.
@safe
struct Slab: @unchecked Sendable {
  // Sendable: what can change in a slab is atomic, or behind the lock of its lane.
  private let header: UnsafeMutablePointer<Header>

  @safe
  private struct Header: ~Copyable {
    let lane: Unmanaged<Lane>
    /// How many turns have still to come, slots not filled included, and one for the thread that fills it.
    let left = Atomic<Int>(0)
    /// Behind the lock of the lane, as the rest.
    var isOpen = true
    var isListed = false
    var next: Slab?
    var previous: Slab?
  }

  #if EXPLORING
    // Two slots, so that a slab is soon used up.
    static var size: Int { 64 }
    private static var start: Int { 48 }
  #else
    static var size: Int { 512 }
    /// Where the slots begin: on a cache line of their own.
    private static var start: Int { 64 }
  #endif
  private static var stride: Int { MemoryLayout<Atomic<UInt>>.stride }
  /// How many slots there are.
  static var capacity: Int { (size - start) / stride }

  init(for lane: Lane) {
    // Unsafe: memory of its own, all of it initialised here. A lane lives as long as the slabs that it hands out.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Slab.size, alignment: Slab.size)
    unsafe header = memory.bindMemory(to: Header.self, capacity: 1)
    unsafe header.initialize(to: Header(lane: .passUnretained(lane)))
    for slot in slots { unsafe slot.pointer.initialize(to: Atomic(0)) }
    prepare()
  }

  private init(at address: UInt) {
    // Unsafe: the address lies in a slab that has not been freed.
    unsafe header = UnsafeMutablePointer(bitPattern: address & ~UInt(Slab.size - 1)).unsafelyUnwrapped
  }

  // Unsafe, in these: the slab has not been freed, as the caller has a part in `left` or holds the lock of the lane.

  private var base: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(header) }

  private func prepare() {
    unsafe header.pointee.isOpen = true
    unsafe header.pointee.left.store(Slab.capacity + 1, ordering: .relaxed)
  }

  private var slots: some Sequence<Slot> {
    (0..<Slab.capacity).lazy.map { unsafe Slot(base + Slab.start + $0 * Slab.stride) }
  }

  fileprivate var hasWork: Bool { slots.contains { $0.isFilled } }

  var isOpen: Bool {
    get { unsafe header.pointee.isOpen }
    nonmutating set { unsafe header.pointee.isOpen = newValue }
  }

  /// So many turns have come, or will not come; or the thread leaves.
  func release(_ number: Int = 1) {
    // Read before: it may be gone afterwards.
    let lane = unsafe header.pointee.lane
    // Acquire-release: who recycles the slab has seen the end of each turn.
    if unsafe header.pointee.left.subtract(number, ordering: .acquiringAndReleasing).newValue == 0 {
      unsafe lane.takeUnretainedValue().recycle(self)
    }
  }

  func free() {
    for slot in slots { unsafe slot.pointer.deinitialize(count: 1) }
    unsafe header.deinitialize(count: 1)
    unsafe header.deallocate()
  }

  // MARK: Slots

  /// Holds one errand, or nothing.
  @safe
  struct Slot {
    fileprivate(set) var pointer: UnsafeMutablePointer<Atomic<UInt>>

    init(_ pointer: UnsafeMutableRawPointer) {
      // Unsafe: the caller took it from a slot of a slab that has not been freed.
      unsafe self.pointer = pointer.assumingMemoryBound(to: Atomic<UInt>.self)
    }

    private var slab: Slab { unsafe Slab(at: UInt(bitPattern: pointer)) }

    /// Called once, by the thread that fills the slab. Sequentially consistent: see `ReliefThreads.threadBlocks`.
    func fill(_ errand: Errand) { unsafe pointer.pointee.store(errand.bits, ordering: .sequentiallyConsistent) }

    fileprivate var isFilled: Bool { unsafe pointer.pointee.load(ordering: .sequentiallyConsistent) != 0 }

    /// Takes the errand, unless somebody else has.
    func empty() -> Errand? {
      let bits = unsafe pointer.pointee.exchange(0, ordering: .acquiringAndReleasing)
      return bits == 0 ? nil : Errand(bits: bits)
    }

    /// The turn has come: takes the errand, unless somebody else has.
    func endTurn() -> Errand? {
      defer { slab.release() }
      return empty()
    }
  }

  /// Where a thread is that fills slabs: the address of the slot to fill next. At the end of a slab it is that of what comes
  /// after it.
  struct Position {
    private var address: UInt = 0

    /// The next slot; `open` makes a new slab, and is given the one that has been used up.
    @inline(__always)
    mutating func advance(_ open: (Slab?) -> Slab) -> Slot {
      if address & UInt(Slab.size - 1) == 0 { begin(open(slab)) }
      defer { address += UInt(Slab.stride) }
      // Unsafe: a slot of the slab that this thread has not left.
      return unsafe Slot(UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped)
    }

    private mutating func begin(_ slab: Slab) { address = unsafe UInt(bitPattern: slab.base) + UInt(Slab.start) }

    private var slab: Slab? { address == 0 ? nil : Slab(at: address - 1) }

    /// The thread ends.
    func leave() {
      guard let slab else { return }
      let unused = (Slab.size - (Int(bitPattern: address) & (Slab.size - 1))) % Slab.size / Slab.stride
      unsafe slab.header.pointee.lane.takeUnretainedValue().close(slab, unused: unused)
    }
  }

  // MARK: Lists

  /// The slabs of a lane in which there may be work, the oldest first, and a few spare ones. Behind its lock.
  struct List {
    private var first: Slab?
    private var last: Slab?
    private var spare: [Slab] = []

    /// How many spare ones are kept.
    private static var limit: Int { 16 }

    // Unsafe, in these: the caller holds the lock.

    mutating func append(_ slab: Slab) {
      unsafe slab.header.pointee.isListed = true
      unsafe slab.header.pointee.previous = last
      if let last { unsafe last.header.pointee.next = slab } else { first = slab }
      last = slab
    }

    private mutating func remove(_ slab: Slab) {
      guard unsafe slab.header.pointee.isListed else { return }
      let (previous, next) = unsafe (slab.header.pointee.previous, slab.header.pointee.next)
      if let previous { unsafe previous.header.pointee.next = next } else { first = next }
      if let next { unsafe next.header.pointee.previous = previous } else { last = previous }
      unsafe slab.header.pointee.isListed = false
      unsafe slab.header.pointee.previous = nil
      unsafe slab.header.pointee.next = nil
    }

    /// A spare slab for a thread to fill.
    mutating func reopen() -> Slab? {
      guard let slab = spare.popLast() else { return nil }
      slab.prepare()
      append(slab)
      return slab
    }

    /// Keeps a slab as a spare one; `false` if there are enough.
    mutating func recycle(_ slab: Slab) -> Bool {
      remove(slab)
      guard spare.count < List.limit else { return false }
      spare.append(slab)
      return true
    }

    mutating func freeSpares() {
      for slab in spare { slab.free() }
      spare = []
    }

    var isAnyWaiting: Bool {
      var slab = first
      while let current = slab {
        if current.hasWork { return true }
        slab = unsafe current.header.pointee.next
      }
      return false
    }

    /// Takes an errand from the oldest slab that has any. One that has none and is not filled any more leaves the list.
    mutating func takeAny() -> Errand? {
      var slab = first
      while let current = slab {
        for slot in current.slots where slot.isFilled {
          if let errand = slot.empty() { return errand }
        }
        slab = unsafe current.header.pointee.next
        if !current.isOpen { remove(current) }
      }
      return nil
    }
  }
}
