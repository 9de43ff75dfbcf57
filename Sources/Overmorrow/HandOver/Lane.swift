internal import Dispatch

/// Submits work to a queue, so that another thread can take the work if its turn on the queue does not come.
///
/// # Slots
///
/// Each work item lies in a slot, and the queue gets a turn for it, with the slot's address. The turn empties the slot
/// and runs the item. If the turn does not come because blocking waits occupy the pool, a spare thread empties the slot
/// and runs the item (``SpareThreads``). A turn that finds its slot empty does nothing.
///
/// The slots are in slabs. Each thread fills its own slab, so a hand-over takes no lock and no memory except a slot.
/// The lane has a list of its slabs for spare threads. The lock of this list is taken twice for each slab.
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

  /// The number of lanes: those of the global queues, and that of `MainTurns`.
  private static var count: Int { 6 }

  private let queue: DispatchQueue
  /// The index of this lane in a thread's positions.
  private let number: Int
  /// The slabs that may contain work, the oldest first.
  private let slabs = Guarded<[Slab]>([])

  /// The lane must outlive every thread that fills its slots, and every turn.
  init(_ queue: DispatchQueue, number: Int) {
    self.queue = queue
    self.number = number
  }

  /// Submits an item to a global queue, which is named by its index in `globals`.
  static func enqueue(_ item: WorkItem, onGlobal number: Int) {
    globals[number].enqueue(item)
    SpareThreads.workWasEnqueued()
  }

  func enqueue(_ item: WorkItem) {
    if Seam.takes(item.run()) { return }
    put(item).turn.enqueue(on: queue)
  }

  // MARK: Slots

  /// The key of a thread's positions: for each lane, the thread's slab and its next free slot.
  static let key = ThreadKey()

  /// Puts an item into a slot of the calling thread. The caller must submit the slot's turn to the queue.
  func put(_ item: WorkItem) -> Slot {
    // Unsafe: only this thread uses the positions, and there is one for each lane.
    let positions = unsafe (Lane.key.value ?? Lane.makePositions()).assumingMemoryBound(to: Position.self)
    return unsafe positions[number].fill(item, in: self)
  }

  @inline(never)
  private static func makePositions() -> UnsafeMutableRawPointer {
    let positions = UnsafeMutablePointer<Position>.allocate(capacity: count)
    // Unsafe: the thread owns the positions until it ends.
    unsafe positions.initialize(repeating: Position(), count: count)
    unsafe key.set(positions, end: endThread)
    return UnsafeMutableRawPointer(positions)
  }

  /// Called with the positions when their thread ends, which then fills no more slots.
  static let endThread: ThreadKey.End = { positions in
    // Unsafe: as in `put`.
    guard let positions = unsafe positions?.assumingMemoryBound(to: Position.self) else { return }
    for lane in 0..<count { unsafe positions[lane].leave() }
    unsafe positions.deallocate()
  }

  /// Makes a new slab for the calling thread.
  fileprivate func open() -> Slab {
    let slab = Slab(for: self)
    slabs.withLock { $0.append(slab) }
    return slab
  }

  /// Closes a slab whose turns have all come.
  fileprivate func close(_ slab: Slab) {
    slabs.withLock { slabs in
      if let index = slabs.firstIndex(of: slab) { slabs.remove(at: index) }
    }
    slab.free()
  }

  // MARK: Spare threads

  static var isAnyWaiting: Bool { globals.contains { $0.isAnyWaiting } }

  var isAnyWaiting: Bool { slabs.withLock { $0.contains { $0.slots.contains(where: \.isFilled) } } }

  /// Takes an item whose turn has not come; `nil` if there is none. A slab whose slots have all been emptied is removed
  /// from the list.
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

  /// Runs one of the most urgent items on the calling thread. Returns `false` if there is no item.
  ///
  /// A global queue admits the thread at once, so the item runs on its own queue.
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
/// as a turn to come.
struct Slab: Equatable, Sendable {
  fileprivate let address: UInt

  @safe
  private struct Header: ~Copyable {
    let lane: Unmanaged<Lane>
    /// The number of turns to come.
    let turnsToCome = Atomic(Slab.capacity)
  }

  /// The number of slots. A slab takes a kilobyte, because the allocator is slower above that.
  static var capacity: Int { Seam.slabCapacity(40) }

  private static var start: Int { MemoryLayout<Header>.stride }

  // Unsafe, in these: the slab exists, because one of its turns is still to come or the lane's lock is held.

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

  /// Counts turns that have come, or will not come. The last one frees the slab.
  fileprivate func release(_ number: Int = 1) {
    // Read first, because the slab may have been freed afterwards.
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
    /// Zero until the slot is filled, then the word of the item, and one after the item was taken.
    let word = Atomic<UInt>(0)
    /// The function of the item, written before the word.
    var function: WorkItem.Function?
  }

  fileprivate static var stride: Int { MemoryLayout<Content>.stride }
  private static var taken: UInt { 1 }

  // Unsafe, in these: the slab of the slot was not freed.

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

  /// Takes the item; `nil` if there is none, or another thread has taken it.
  @discardableResult
  fileprivate func take() -> WorkItem? {
    let word = unsafe content.pointee.word.exchange(Slot.taken, ordering: .acquiringAndReleasing)
    guard word > Slot.taken, let function = unsafe content.pointee.function else { return nil }
    return unsafe WorkItem(UnsafeMutableRawPointer(bitPattern: word).unsafelyUnwrapped, function)
  }

  /// The turn of the slot, to submit to the queue.
  fileprivate var turn: WorkItem {
    // Unsafe: a slot lives until its turn has come.
    unsafe WorkItem(UnsafeMutableRawPointer(content)) { slot in
      Slot(address: UInt(bitPattern: slot)).endTurn()?.run()
    }
  }

  /// Takes the item at the turn of the slot, unless another thread has taken it. Afterwards the slab may have been
  /// freed.
  func endTurn() -> WorkItem? {
    defer { unsafe content.pointee.slab.release() }
    return take()
  }
}

/// A thread's position in its slab of one lane. A filled slab is left to its turns, and may have been freed.
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
