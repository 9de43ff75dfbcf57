internal import Dispatch

/// The way to a queue whose work others can take, when its turn does not come.
///
/// # Slots
///
/// Each piece of work lies in a slot of its own, and the queue gets a turn for it, with the slot's address. Whoever empties the
/// slot runs the work: the turn or, if that does not come because blocking waits occupy the pool, a thread that helps out
/// (``SpareThreads``). A turn that finds its slot empty does nothing.
///
/// The slots are in slabs, and a thread fills a slab of its own, so that handing work over takes no lock and no memory but a
/// slot. The lane lists its slabs for those who help out; its lock is taken twice for each slab.
///
/// ```
///   thread A ──fills──▶ slab │ · │ · │ w │ w │ w │   │ …    (·: emptied, w: work that waits)
///   thread B ──fills──▶ slab │ · │ w │   │   │ …
///                         ▲
///   the lane's list ──────┘ searched by those who help out
/// ```
final class Lane: Sendable {
  /// The ways to the global queues: `background`, `utility`, `default`, `userInitiated`, `userInteractive`.
  static let globals = [
    DispatchQoS.QoSClass.background, .utility, .default, .userInitiated, .userInteractive,
  ].enumerated().map { Lane(.global(qos: $1), number: $0) }

  /// How many lanes a thread can tell: those to the global queues, and that of `MainTurns`.
  private static var count: Int { 6 }

  private let queue: DispatchQueue
  /// Which of a thread's positions is in a slab of this lane.
  private let number: Int
  /// Those in which there may be work, the oldest first.
  private let slabs = Guarded<[Slab]>([])

  /// A lane stays as long as a thread may fill its slots, or a turn may come.
  init(_ queue: DispatchQueue, number: Int) {
    self.queue = queue
    self.number = number
  }

  func enqueue(_ item: WorkItem) {
    if Seam.takes(item.run()) { return }
    put(item).turn.enqueue(on: queue)
  }

  // MARK: Slots

  /// What a thread has under it: where it is in its slabs, one position for each lane.
  static let key = ThreadKey()

  /// Puts an item into a slot of the calling thread. A turn has to come for it.
  func put(_ item: WorkItem) -> Slot {
    // Unsafe: used by this thread only, and there is one for each lane.
    let positions = unsafe (Lane.key.value ?? Lane.makePositions()).assumingMemoryBound(to: Position.self)
    return unsafe positions[number].fill(item, in: self)
  }

  @inline(never)
  private static func makePositions() -> UnsafeMutableRawPointer {
    let positions = UnsafeMutablePointer<Position>.allocate(capacity: count)
    // Unsafe: owned by the thread, until it ends.
    unsafe positions.initialize(repeating: Position(), count: count)
    unsafe key.set(positions, end: endThread)
    return UnsafeMutableRawPointer(positions)
  }

  /// The thread with these positions fills no more slots.
  static let endThread: ThreadKey.End = { positions in
    // Unsafe: as in `put`.
    guard let positions = unsafe positions?.assumingMemoryBound(to: Position.self) else { return }
    for lane in 0..<count { unsafe positions[lane].leave() }
    unsafe positions.deallocate()
  }

  /// A slab for the calling thread, which has used up another one.
  fileprivate func open() -> Slab {
    let slab = Slab(for: self)
    slabs.withLock { $0.append(slab) }
    return slab
  }

  /// All turns of a slab have come.
  fileprivate func close(_ slab: Slab) {
    slabs.withLock { slabs in
      if let index = slabs.firstIndex(of: slab) { slabs.remove(at: index) }
    }
    slab.free()
  }

  // MARK: Helping out

  static var isAnyWaiting: Bool { globals.contains { $0.isAnyWaiting } }

  var isAnyWaiting: Bool { slabs.withLock { $0.contains { $0.slots.contains(where: \.isFilled) } } }

  /// Takes work whose turn has not come; `nil` if there is none. A slab whose slots have all been emptied leaves the list.
  func takeAny() -> WorkItem? {
    slabs.withLock { slabs in
      var index = 0
      while index < slabs.count {
        for slot in slabs[index].slots where slot.isFilled {
          if let item = slot.take() { return item }
        }
        if slabs[index].slots.allSatisfy(\.isTaken) { slabs.remove(at: index) } else { index += 1 }
      }
      return nil
    }
  }

  /// Runs one piece of the most urgent work on the calling thread; `false` if there is none.
  ///
  /// A queue that is not serial lets the thread in at once, so that the work finds itself on the queue that it was for.
  static func runAny() -> Bool {
    for lane in globals.reversed() {
      guard let item = lane.takeAny() else { continue }
      lane.queue.sync { item.run() }
      return true
    }
    return false
  }
}

/// Slots for work on its way to a queue. It lives until all its turns have come; slots that are not filled yet have a turn, too.
struct Slab: Equatable, Sendable {
  fileprivate let address: UInt

  @safe
  private struct Header: ~Copyable {
    let lane: Unmanaged<Lane>
    /// How many turns have still to come.
    let left = Atomic(Slab.capacity)
  }

  /// A kilobyte all in all: the allocator takes longer for more.
  static var capacity: Int { Seam.slabCapacity(40) }

  private static var start: Int { MemoryLayout<Header>.stride }

  // Unsafe, in these: the slab has not been freed, as a turn of the caller's has to come or the lock of the lane is held.

  fileprivate init(for lane: Lane) {
    // Unsafe: memory of its own, all of it initialised here. A lane lives as long as the slabs that it hands out.
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Slab.start + Slab.capacity * Slot.stride, alignment: MemoryLayout<UInt>.alignment)
    address = UInt(bitPattern: memory)
    unsafe memory.initializeMemory(as: Header.self, to: Header(lane: .passUnretained(lane)))
    for slot in slots { slot.initialize(in: self) }
  }

  private var header: UnsafeMutablePointer<Header> {
    unsafe UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  fileprivate func slot(_ index: Int) -> Slot { Slot(address: address + UInt(Slab.start + index * Slot.stride)) }

  fileprivate var slots: some Sequence<Slot> { (0..<Slab.capacity).lazy.map(slot) }

  /// So many turns have come, or will not come.
  fileprivate func release(_ number: Int = 1) {
    // Read before: it may be gone afterwards.
    let lane = unsafe header.pointee.lane
    // Acquire-release: who frees the slab has seen the end of each turn.
    if unsafe header.pointee.left.subtract(number, ordering: .acquiringAndReleasing).newValue == 0 {
      unsafe lane.takeUnretainedValue().close(self)
    }
  }

  fileprivate func free() {
    for slot in slots { slot.deinitialize() }
    unsafe header.deinitialize(count: 1)
    unsafe header.deallocate()
  }
}

/// Room for one item.
struct Slot: Sendable {
  fileprivate let address: UInt

  @safe
  private struct Content: ~Copyable {
    let slab: Slab
    /// Zero, then the word of the item, then one.
    let word = Atomic<UInt>(0)
    /// Written before the word.
    var function: WorkItem.Function?
  }

  fileprivate static var stride: Int { MemoryLayout<Content>.stride }
  private static var taken: UInt { 1 }

  // Unsafe, in these: the slot is one of a slab that has not been freed.

  private var content: UnsafeMutablePointer<Content> {
    unsafe UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  fileprivate func initialize(in slab: Slab) { unsafe content.initialize(to: Content(slab: slab)) }
  fileprivate func deinitialize() { unsafe content.deinitialize(count: 1) }

  /// Called once, by the thread that fills the slab. Sequentially consistent: see `SpareThreads.threadWillBlock`.
  fileprivate func fill(_ item: WorkItem) {
    unsafe content.pointee.function = item.function
    unsafe content.pointee.word.store(UInt(bitPattern: item.word), ordering: .sequentiallyConsistent)
  }

  private var word: UInt { unsafe content.pointee.word.load(ordering: .sequentiallyConsistent) }
  fileprivate var isFilled: Bool { word > Slot.taken }
  fileprivate var isTaken: Bool { word == Slot.taken }

  /// Takes the item, unless somebody else has, or there is none.
  @discardableResult
  fileprivate func take() -> WorkItem? {
    let word = unsafe content.pointee.word.exchange(Slot.taken, ordering: .acquiringAndReleasing)
    guard word > Slot.taken, let function = unsafe content.pointee.function else { return nil }
    return unsafe WorkItem(UnsafeMutableRawPointer(bitPattern: word).unsafelyUnwrapped, function)
  }

  /// The turn of the slot, to be submitted.
  fileprivate var turn: WorkItem {
    // Unsafe: a slot stays until its turn has come.
    unsafe WorkItem(UnsafeMutableRawPointer(content)) { slot in
      Slot(address: UInt(bitPattern: slot)).endTurn()?.run()
    }
  }

  /// The turn has come: takes the item, unless somebody else has.
  func endTurn() -> WorkItem? {
    defer { unsafe content.pointee.slab.release() }
    return take()
  }
}

/// Where a thread is that fills slabs. One that it has filled is left to its turns, and may be gone.
private struct Position {
  private var slab: Slab?
  private var filled = 0

  @inline(__always)
  mutating func fill(_ item: WorkItem, in lane: Lane) -> Slot {
    let current = slab ?? lane.open()
    let slot = current.slot(filled)
    (slab, filled) = filled + 1 < Slab.capacity ? (current, filled + 1) : (nil, 0)
    slot.fill(item)
    return slot
  }

  /// The thread fills no more slots of the slab.
  mutating func leave() {
    guard let slab else { return }
    for index in filled..<Slab.capacity { slab.slot(index).take() }
    slab.release(Slab.capacity - filled)
    self = Position()
  }
}
