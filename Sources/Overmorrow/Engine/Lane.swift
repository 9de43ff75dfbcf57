internal import Dispatch

/// The way to one of the global queues.
///
/// # Slots
///
/// Each piece of work lies in a slot of its own, and the queue gets a turn for it, with the slot's address. Whoever empties the
/// slot runs the work: the turn or, if that does not come because blocking waits occupy the pool, a thread that helps out
/// (``ReliefThreads``). A turn that finds its slot empty does nothing.
///
/// The slots are in slabs, and a thread fills a slab of its own, so that handing work over takes no lock and no memory but a
/// slot. The lane lists its slabs for those who help out; its lock is taken once for each slab.
///
/// ```
///   thread A ──fills──▶ slab │ · │ · │ w │ w │ w │   │ …    (·: emptied, w: work that waits)
///   thread B ──fills──▶ slab │ · │ w │   │   │ …
///                         ▲
///   the lane's list ──────┘ searched by those who help out
/// ```
final class Lane: Sendable {
  static let background = Lane(.background, 0)
  static let utility = Lane(.utility, 1)
  static let `default` = Lane(.default, 2)
  static let userInitiated = Lane(.userInitiated, 3)
  static let userInteractive = Lane(.userInteractive, 4)

  /// How many there are.
  static var count: Int { 5 }
  /// The most urgent ones first.
  static let all = [userInteractive, userInitiated, `default`, utility, background]

  private let queue: DispatchQueue
  /// Its place among what a thread keeps for each lane.
  private let number: Int
  private let slabs = Guarded(Slab.List())

  init(_ qos: DispatchQoS.QoSClass, _ number: Int) {
    queue = .global(qos: qos)
    self.number = number
  }

  /// Those above stay for ever; this is for one that the explorer has made, when all its turns have come and those who filled its
  /// slots have ended.
  deinit { slabs.withLock { $0.freeSpares() } }

  func enqueue(_ work: @escaping Errand.Work) { enqueue(Errand(work)) }

  func enqueue(_ errand: Errand) {
    let slot = put(errand)
    // Unsafe: a slot stays until its turn has come.
    unsafe Submission.submit(slot.pointer, to: queue) { unsafe Lane.takeTurn($0) }
    ReliefThreads.workHasCome()
  }

  private static func takeTurn(_ slot: UnsafeMutableRawPointer?) {
    guard let slot = unsafe slot else { return }
    unsafe Slab.Slot(slot).endTurn()?.run()
  }

  // MARK: Slots

  /// Puts an errand into a slot of the calling thread. A turn has to come for it.
  func put(_ errand: Errand) -> Slab.Slot {
    let slot = ThreadLocal.nextSlot(of: number) { self.open(after: $0) }
    slot.fill(errand)
    return slot
  }

  /// A slab for the calling thread, which has used up another one.
  private func open(after old: Slab?) -> Slab {
    if let old { close(old, unused: 0) }
    let spare = slabs.withLock { $0.reopen() }
    if let spare { return spare }
    let new = Slab(for: self)
    slabs.withLock { $0.append(new) }
    return new
  }

  /// The thread that has filled a slab uses it no more.
  func close(_ slab: Slab, unused: Int) {
    slabs.withLock { _ in slab.isOpen = false }
    slab.release(1 + unused)
  }

  /// All turns of a slab have come.
  func recycle(_ slab: Slab) {
    let isSpare = slabs.withLock { $0.recycle(slab) }
    if !isSpare { slab.free() }
  }

  // MARK: Helping out

  static var isAnyWaiting: Bool { all.contains { $0.isAnyWaiting } }

  var isAnyWaiting: Bool { slabs.withLock { $0.isAnyWaiting } }

  /// Takes work whose turn has not come; `nil` if there is none.
  func takeAny() -> Errand? { slabs.withLock { $0.takeAny() } }

  /// Runs one piece of the most urgent work on the calling thread; `false` if there is none.
  ///
  /// A queue that is not serial lets the thread in at once, so that the work finds itself on the queue that it was for.
  static func runAny() -> Bool {
    for lane in all {
      guard let errand = lane.takeAny() else { continue }
      lane.queue.sync { errand.run() }
      return true
    }
    return false
  }
}
