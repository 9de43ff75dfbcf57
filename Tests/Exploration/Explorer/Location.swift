import Overmorrow

@testable import OvermorrowEngine

/// An atomic or a lock during one execution: all values that it has had, and the threads that have seen them.
final class Location {
  /// A value that was stored, and the knowledge that it publishes to threads that acquire it.
  struct Message {
    let value: UInt64
    let writer: Int
    /// The writer's time when it was stored.
    let time: Int32
    let published: Clock
    /// The writer's event in the order of dependent events.
    let event: Int
  }

  let cell: Cell
  let number: Int
  /// In modification order.
  var messages: ContiguousArray<Message> = []
  /// For each thread, the time at which it has seen or stored each message. Times and messages increase.
  private var seen: (Sightings, Sightings, Sightings, Sightings) = (.init(), .init(), .init(), .init())
  /// The oldest message that a sequentially consistent load may see.
  private var totalOrderFloor = 0

  /// The combined knowledge of all threads that have used it.
  var users = Clock()

  // For the order of dependent events: the last change, the reads of each thread since then, and the last acquisition
  // of a lock.
  var lastChange = -1
  var lastTake = -1
  var reads = SIMD4<Int32>(repeating: -1)

  /// Whether this is a reference count, for which only the last decrement matters. Then `lastOther` is the last change
  /// that was not an increment or decrement, and `counts` holds the increments and decrements of each thread since
  /// then.
  let isCount: Bool
  var lastOther = -1
  var counts = SIMD4<Int32>(repeating: -1)
  var added: [Int] = []

  private struct Sightings {
    var times: ContiguousArray<(time: Int32, index: Int)> = []

    /// Returns the newest message known to a thread that has seen another thread's history up to a time.
    func index(at time: Int32) -> Int {
      var next = times.count - 1
      while next >= 0, times[next].time > time { next -= 1 }
      return next < 0 ? 0 : times[next].index
    }

    mutating func note(_ time: Int32, _ index: Int) {
      if let last = times.last, last.index >= index { return }
      times.append((time, index))
    }
  }

  init(_ cell: Cell, _ number: Int) {
    self.cell = cell
    self.number = number
    // “count” is the only name of a word that begins with a “c”.
    isCount = cell.name.map { unsafe $0.utf8Start.pointee == UInt8(ascii: "c") } ?? false
    messages.append(Message(value: cell.value, writer: 0, time: 0, published: .zero, event: -1))
  }

  var newest: Int { messages.count - 1 }
  var value: UInt64 { messages[newest].value }

  /// Returns the oldest message that a thread may still see, given its knowledge.
  func floor(_ known: Clock, isInTotalOrder: Bool) -> Int {
    if messages.count == 1 { return 0 }
    var floor = isInTotalOrder ? totalOrderFloor : 0
    floor = max(floor, seen.0.index(at: known[0]), seen.1.index(at: known[1]))
    return max(floor, seen.2.index(at: known[2]), seen.3.index(at: known[3]))
  }

  /// Records that a thread has seen a message.
  func note(_ index: Int, seenBy thread: Int, at time: Int32, isInTotalOrder: Bool) {
    if isInTotalOrder { totalOrderFloor = max(totalOrderFloor, index) }
    switch thread {
    case 0: seen.0.note(time, index)
    case 1: seen.1.note(time, index)
    case 2: seen.2.note(time, index)
    default: seen.3.note(time, index)
    }
  }
}
