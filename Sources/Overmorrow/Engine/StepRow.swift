/// Memory for steps through which one promise waits for others: they lie side by side, in one allocation.
///
/// ```
///  ┌─────────┬──────┬──────┬─────────┬──────┬──────┬─────────┬ ┄ ┄
///  │ holders │ row  │ core │ payload │ row  │ core │ payload │
///  └─────────┴──────┴──────┴─────────┴──────┴──────┴─────────┴ ┄ ┄
///    row: leads back to the beginning
/// ```
///
/// The memory goes when its maker has let go of it, and all the steps in it have ended. So a step that a pending promise still has in
/// its list keeps the memory of its row, which is therefore short.
@safe
struct StepRow: @unchecked Sendable {
  // Sendable: the number of holders is atomic, and the rest changes while only the maker has it.

  /// How many steps a row has at most.
  static var longest: Int { 16 }

  private typealias Holders = Atomic<Int>

  // Unsafe, all that follows: the pointer leads to memory of `CoreRef.allocate` with the layout above, which the maker's hold
  // keeps until `end`; a slot is handed out once, and written before that.
  private let memory: UnsafeMutableRawPointer
  /// The words of one slot.
  private let stride: Int
  private let room: Int
  /// How many slots have been handed out.
  private(set) var count = 0

  private static var header: Int { 1 }

  /// - Parameters:
  ///   - number: How many steps are to come.
  ///   - words: What each of them needs of the payload.
  init(for number: Int, words: Int) {
    stride = 1 + CoreRef.headerWords + words
    room = min(max(number, 1), StepRow.longest)
    unsafe memory = CoreRef.allocate(words: StepRow.header + room * stride)
    // The maker holds it, and so does each slot.
    unsafe memory.bindMemory(to: Holders.self, capacity: 1).initialize(to: Holders(room + 1))
  }

  /// The cores in the slots that have been handed out, in order.
  var cores: some Collection<CoreRef> {
    (0..<count).lazy.map { unsafe CoreRef(core($0).assumingMemoryBound(to: CoreState.self)) }
  }

  /// Hands out the next slot, uninitialised; `nil` if there is none, or it is too small.
  @inline(__always)
  mutating func next(words: Int) -> CoreRef? {
    guard count < room, 1 + CoreRef.headerWords + words <= stride else { return nil }
    let slot = unsafe core(count)
    count += 1
    unsafe (slot - 8).initializeMemory(as: UnsafeMutableRawPointer.self, to: memory)
    return unsafe CoreRef(slot.assumingMemoryBound(to: CoreState.self))
  }

  /// The maker lets go of the memory, and of the slots that it has not handed out.
  func end() { unsafe StepRow.letGo(of: memory, 1 + room - count) }

  /// A core in a row has ended, and lets go of its slot.
  static func didEnd(_ core: CoreRef) {
    let memory = unsafe (UnsafeMutableRawPointer(core.pointer) - 8).load(as: UnsafeMutableRawPointer.self)
    unsafe letGo(of: memory, 1)
  }

  private func core(_ index: Int) -> UnsafeMutableRawPointer {
    unsafe memory + 8 * (StepRow.header + index * stride + 1)
  }

  private static func letGo(of memory: UnsafeMutableRawPointer, _ number: Int) {
    let holders = unsafe memory.assumingMemoryBound(to: Holders.self)
    // E5, for the memory: who frees it sees that the others are done with it.
    let left = unsafe holders.pointee.wrappingSubtract(number, ordering: .acquiringAndReleasing).newValue
    guard left == 0 else { return }
    unsafe holders.deinitialize(count: 1)
    unsafe CoreRef.giveBack(memory)
  }
}
