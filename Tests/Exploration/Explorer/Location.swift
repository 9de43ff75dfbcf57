import Overmorrow

/// An atomic or a lock during one execution: all the values that it has had, and who has seen which.
final class Location {
  /// A value that was stored, and what it publishes to those who acquire it.
  struct Message {
    let value: UInt64
    let writer: Int
    /// The writer's time when it was stored.
    let time: Int32
    let published: Clock
    /// Of the writer, as far as the order of dependent events is concerned.
    let event: Int
  }

  let cell: Cell
  let number: Int
  /// In the order in which they were stored, which is the modification order.
  var messages: ContiguousArray<Message> = []
  /// For each thread, when it has seen or stored which message; both grow.
  private var seen: (Sightings, Sightings, Sightings, Sightings) = (.init(), .init(), .init(), .init())
  /// No sequentially consistent load sees less than this one.
  private var totalOrderFloor = 0

  /// What those know who have used it.
  var users = Clock()

  // For the order of dependent events: the last change, the reads since then by thread, and the last taking of a lock.
  var lastChange = -1
  var lastTake = -1
  var reads = SIMD4<Int32>(repeating: -1)

  /// A count of holders: only the end of the last one matters. Then these are the last change that did not just count,
  /// and the counting by each thread since then.
  let isCount: Bool
  var lastOther = -1
  var counts = SIMD4<Int32>(repeating: -1)
  var added: [Int] = []

  private struct Sightings {
    var times: ContiguousArray<(time: Int32, index: Int)> = []

    /// The newest one known to a thread that has seen another thread up to a time.
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
    // Of the names of words, “count” is the only one that begins like this.
    isCount = cell.name.map { unsafe $0.utf8Start.pointee == UInt8(ascii: "c") } ?? false
    messages.append(Message(value: cell.value, writer: 0, time: 0, published: .zero, event: -1))
  }

  var newest: Int { messages.count - 1 }
  var value: UInt64 { messages[newest].value }

  /// The oldest message that a thread may still see, given what it knows.
  func floor(_ known: Clock, isInTotalOrder: Bool) -> Int {
    if messages.count == 1 { return 0 }
    var floor = isInTotalOrder ? totalOrderFloor : 0
    floor = max(floor, seen.0.index(at: known[0]), seen.1.index(at: known[1]))
    return max(floor, seen.2.index(at: known[2]), seen.3.index(at: known[3]))
  }

  /// A thread has seen a message.
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
