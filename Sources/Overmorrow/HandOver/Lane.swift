internal import Dispatch

/// A queue of Dispatch, with a record of the submitted work. If the queue does not run the work, another thread can
/// take the work from this record.
///
/// # Slots
///
/// Each work item lies in a slot. The queue gets a turn for each item: a call with the address of the slot. The turn
/// empties the slot and runs the item. If the turn does not come because blocking waits occupy the pool, a spare thread
/// empties the slot and runs the item (``SpareThreads``). A wait that blocks the main queue empties the slots of the
/// main queue's lane itself (``MainTurns``). A turn that finds its slot empty does nothing.
///
/// The slots are in slabs. Each thread fills only its own slab, so a thread needs no lock to fill a slot. The lane has
/// a list of its slabs, which spare threads search. The lock of this list is taken to add a slab, to remove a slab and
/// to search the slabs, but not to fill a slot.
///
/// ```
///   thread A ──fills──▶ slab │ · │ · │ w │ w │ w │   │ …    (·: emptied, w: work that waits)
///   thread B ──fills──▶ slab │ · │ w │   │   │ …
///                         ▲
///   the lane's list ──────┘ searched by spare threads
/// ```
final class Lane: Sendable {
  /// The lanes of the global queues: `background`, `utility`, `default`, `userInitiated`, `userInteractive`.
  static let globals = [
    DispatchQoS.QoSClass.background, .utility, .default, .userInitiated, .userInteractive,
  ].enumerated().map { Lane(.global(qos: $1), number: $0) }

  /// The number of lanes: one for each global queue, and one for `MainTurns`.
  private static var count: Int { 6 }

  private let queue: DispatchQueue
  /// The index of this lane in a thread's positions.
  private let number: Int
  /// The slabs that may contain work, the oldest first.
  private let slabs = Guarded<[Slab]>([])

  /// Creates a lane. The lane must outlive its turns and all threads that fill its slots.
  init(_ queue: DispatchQueue, number: Int) {
    self.queue = queue
    self.number = number
  }

  /// Submits an item to the global queue whose lane has this index in `globals`.
  static func enqueue(_ item: WorkItem, onGlobal number: Int) {
    globals[number].enqueue(item)
    SpareThreads.workWasEnqueued()
  }

  func enqueue(_ item: WorkItem) {
    if Seam.takes(item.run()) { return }
    put(item).turn.enqueue(on: queue)
  }

  // MARK: Slots

  /// The thread-local key of a thread's positions. There is one position for each lane.
  static let key = ThreadKey()

  /// Puts an item into a slot of the calling thread. The caller must submit the slot's turn to the queue.
  func put(_ item: WorkItem) -> Slot {
    // Unsafe: only this thread uses the positions, and there is one position for each lane.
    let positions = unsafe (Lane.key.value ?? Lane.makePositions()).assumingMemoryBound(to: Position.self)
    return unsafe positions[number].fill(item, in: self)
  }

  @inline(never)
  private static func makePositions() -> UnsafeMutableRawPointer {
    let positions = UnsafeMutablePointer<Position>.allocate(capacity: count)
    // Unsafe: the thread owns the positions until the thread ends.
    unsafe positions.initialize(repeating: Position(), count: count)
    unsafe key.set(positions, end: endThread)
    return UnsafeMutableRawPointer(positions)
  }

  /// The function that is called with a thread's positions when the thread ends. It gives up the unfilled slots.
  static let endThread: ThreadKey.End = { positions in
    // Unsafe: as in `put`.
    guard let positions = unsafe positions?.assumingMemoryBound(to: Position.self) else { return }
    for lane in 0..<count { unsafe positions[lane].leave() }
    unsafe positions.deallocate()
  }

  /// Creates a slab for the calling thread, and adds the slab to the list.
  fileprivate func open() -> Slab {
    let slab = Slab(for: self)
    slabs.withLock { $0.append(slab) }
    return slab
  }

  /// Frees a slab that has no turn to come, after removing the slab from the list.
  fileprivate func close(_ slab: Slab) {
    slabs.withLock { slabs in
      if let index = slabs.firstIndex(of: slab) { slabs.remove(at: index) }
    }
    slab.free()
  }

  // MARK: Spare threads

  static var isAnyWaiting: Bool { globals.contains { $0.isAnyWaiting } }

  var isAnyWaiting: Bool { slabs.withLock { $0.contains { $0.slots.contains(where: \.isFilled) } } }

  /// Takes and returns an item whose turn has not come. Returns `nil` if there is no such item. If all slots of a
  /// visited slab have been emptied, the slab is removed from the list.
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

  /// Runs an item of the most urgent global queue that has a waiting item. Returns `false` if there is no item.
  ///
  /// The calling thread runs the item by `sync` on the item's own queue. The call needs no thread of the pool, because
  /// a global queue admits the calling thread at once.
  static func runAny() -> Bool {
    for lane in globals.reversed() {
      guard let item = lane.takeAny() else { continue }
      lane.queue.sync { item.run() }
      return true
    }
    return false
  }
}

/// Slots for work that was submitted to a queue. A slab exists until all its turns have come. An unfilled slot counts
/// as a turn that is still to come.
struct Slab: Equatable, Sendable {
  fileprivate let address: UInt

  @safe
  private struct Header: ~Copyable {
    let lane: Unmanaged<Lane>
    /// The number of turns that are still to come.
    let turnsToCome = Atomic(Slab.capacity)
  }

  /// The number of slots. A slab takes at most a kilobyte, because the allocator is slower for larger blocks.
  static var capacity: Int { Seam.slabCapacity(40) }

  private static var start: Int { MemoryLayout<Header>.stride }

  // Unsafe, in the following members: the slab exists, because a turn is still to come or the lane's lock is held.

  fileprivate init(for lane: Lane) {
    // Unsafe: new memory, all of it initialised here. A lane outlives its slabs.
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

  /// Subtracts turns that have come or will never come. If no turn is left, the slab is freed.
  fileprivate func release(_ number: Int = 1) {
    // The lane is read before the subtraction, because another thread may free the slab after the subtraction.
    let lane = unsafe header.pointee.lane
    // Acquire-release: the thread that frees the slab sees the end of each turn.
    if unsafe header.pointee.turnsToCome.subtract(number, ordering: .acquiringAndReleasing).newValue == 0 {
      unsafe lane.takeUnretainedValue().close(self)
    }
  }

  fileprivate func free() {
    for slot in slots { slot.deinitialize() }
    unsafe header.deinitialize(count: 1)
    unsafe header.deallocate()
  }
}

/// The memory for one item.
struct Slot: Sendable {
  fileprivate let address: UInt

  @safe
  private struct Content: ~Copyable {
    let slab: Slab
    /// 0 until the slot is filled, and then the word of the item. 1 after the item was taken or the slot was given up.
    let word = Atomic<UInt>(0)
    /// The function of the item, written before the word.
    var function: WorkItem.Function?
  }

  fileprivate static var stride: Int { MemoryLayout<Content>.stride }
  private static var taken: UInt { 1 }

  // Unsafe, in the following members: the slab of the slot has not been freed.

  private var content: UnsafeMutablePointer<Content> {
    unsafe UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  fileprivate func initialize(in slab: Slab) { unsafe content.initialize(to: Content(slab: slab)) }
  fileprivate func deinitialize() { unsafe content.deinitialize(count: 1) }

  /// Puts an item into the slot. Called at most once, by the thread that fills the slab. The store of the word is
  /// sequentially consistent. `SpareThreads.threadWillBlock` gives the reason.
  fileprivate func fill(_ item: WorkItem) {
    unsafe content.pointee.function = item.function
    unsafe content.pointee.word.store(UInt(bitPattern: item.word), ordering: .sequentiallyConsistent)
  }

  private var word: UInt { unsafe content.pointee.word.load(ordering: .sequentiallyConsistent) }
  fileprivate var isFilled: Bool { word > Slot.taken }
  fileprivate var isTaken: Bool { word == Slot.taken }

  /// Takes and returns the item. Returns `nil` if the slot is unfilled or another thread has taken the item.
  @discardableResult
  fileprivate func take() -> WorkItem? {
    let word = unsafe content.pointee.word.exchange(Slot.taken, ordering: .acquiringAndReleasing)
    guard word > Slot.taken, let function = unsafe content.pointee.function else { return nil }
    return unsafe WorkItem(UnsafeMutableRawPointer(bitPattern: word).unsafelyUnwrapped, function)
  }

  /// The turn of the slot, in the form of an item for the queue.
  fileprivate var turn: WorkItem {
    // Unsafe: a slot lives until its turn has come.
    unsafe WorkItem(UnsafeMutableRawPointer(content)) { slot in
      Slot(address: UInt(bitPattern: slot)).endTurn()?.run()
    }
  }

  /// Ends the turn of the slot, and returns the item of the slot. Returns `nil` if another thread has taken the item.
  /// When this function returns, the slab may have been freed.
  func endTurn() -> WorkItem? {
    defer { unsafe content.pointee.slab.release() }
    return take()
  }
}

/// The slab that a thread fills in one lane, and the index of the next free slot. When the last slot has been filled,
/// the position forgets the slab, because the turns of the slab may then free the slab.
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

  /// Gives up the unfilled slots of the slab.
  mutating func leave() {
    guard let slab else { return }
    for index in filled..<Slab.capacity { slab.slot(index).take() }
    slab.release(Slab.capacity - filled)
    self = Position()
  }
}
