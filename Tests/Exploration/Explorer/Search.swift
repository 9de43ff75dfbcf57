import Overmorrow

/// The set of schedules that are explored.
enum Mode: Equatable {
  /// All schedules, except those that differ only in the order of independent steps.
  case all
  /// All schedules with a limited number of preemptions and of loads that see an old value.
  case bounded(preemptions: Int, stale: Int)
  /// Random schedules.
  case random(seed: UInt64)
  /// A schedule that was printed with a finding.
  case replay([UInt8])

  /// Bounds that find most faults and are explored quickly.
  static let narrow = Mode.bounded(preemptions: 3, stale: 1)
}

/// An event, as far as the order of dependent events is concerned.
struct Event {
  let thread: Int
  /// The preceding events, including itself.
  let clock: Clock
  /// The choice through which the thread was scheduled; negative if there was no choice.
  let node: Int

  var stamp: Int32 { clock[thread] }

  func isBefore(_ other: Event) -> Bool { other.clock[thread] >= stamp }
}

/// The tree of all choices, of which one path is stored. It is searched depth first, with dynamic partial-order
/// reduction by source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas 2014).
struct Search {
  private struct Node {
    /// The threads that could have continued, as bits; zero if a value was chosen.
    let enabled: UInt8
    let sleeping: UInt8
    var wanted: UInt8
    var done: UInt8 = 0
    var chosen: Int
    var count = 0
  }

  let mode: Mode
  private var nodes: ContiguousArray<Node> = []
  private var depth = 0
  private var preemptions = 0
  private var stale = 0
  private var random: UInt64 = 0
  private(set) var executions = 0
  /// The choices of the current execution, for printing.
  private(set) var choices: ContiguousArray<UInt8> = []
  /// The threads that need not run from here, because the resulting schedules have been explored.
  var sleeping: UInt8 = 0

  init(_ mode: Mode) {
    self.mode = mode
    if case .random(let seed) = mode { random = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
  }

  mutating func begin() {
    depth = 0
    preemptions = 0
    stale = 0
    sleeping = 0
    choices.removeAll(keepingCapacity: true)
  }

  /// Advances to the next path. Returns `false` if there is none.
  mutating func advance() -> Bool {
    executions += 1
    switch mode {
    case .replay: return false
    case .random: return true
    case .all, .bounded: break
    }
    while var node = nodes.popLast() {
      if node.enabled == 0 {
        node.chosen += 1
        guard node.chosen < node.count else { continue }
      } else {
        node.done |= 1 << UInt8(node.chosen)
        let rest = node.wanted & ~node.done & ~node.sleeping
        guard rest != 0 else { continue }
        node.chosen = rest.trailingZeroBitCount
      }
      nodes.append(node)
      return true
    }
    return false
  }

  // MARK: Choosing

  /// Chooses one of several threads that could continue. Returns `nil` if everything that could follow has been
  /// explored.
  mutating func chooseThread(of enabled: UInt8, current: Int) -> (thread: Int, node: Int)? {
    let canStay = enabled & (1 << UInt8(current)) != 0
    switch mode {
    case .replay, .random:
      let thread = freely(of: enabled, current: current)
      choices.append(UInt8(ascii: "a") + UInt8(thread))
      return (thread, -1)
    case .all, .bounded: break
    }
    if depth == nodes.count {
      var wanted: UInt8
      var chosen = current
      if case .bounded(let limit, _) = mode {
        if !canStay { chosen = enabled.trailingZeroBitCount }
        wanted = canStay && preemptions >= limit ? 1 << UInt8(current) : enabled
      } else {
        let awake = enabled & ~sleeping
        guard awake != 0 else { return nil }
        if awake & (1 << UInt8(current)) == 0 { chosen = awake.trailingZeroBitCount }
        wanted = 1 << UInt8(chosen)
      }
      nodes.append(Node(enabled: enabled, sleeping: sleeping, wanted: wanted, chosen: chosen))
    }
    let node = nodes[depth]
    precondition(node.enabled == enabled, "the program does not do the same each time")
    sleeping = mode == .all ? node.sleeping | node.done : 0
    if canStay, node.chosen != current { preemptions += 1 }
    choices.append(UInt8(ascii: "a") + UInt8(node.chosen))
    depth += 1
    return (node.chosen, depth - 1)
  }

  /// Chooses the value that a load sees: 0 is the newest.
  mutating func chooseValue(of count: Int) -> Int {
    var chosen = 0
    switch mode {
    case .replay(let script):
      if choices.count < script.count { chosen = min(Int(script[choices.count]) - 48, count - 1) }
    case .random: chosen = next(4) == 0 ? next(count) : 0
    case .bounded(_, let limit) where stale >= limit: break
    case .all, .bounded:
      if depth == nodes.count {
        nodes.append(Node(enabled: 0, sleeping: 0, wanted: 0, chosen: 0, count: count))
      }
      precondition(nodes[depth].enabled == 0, "the program does not do the same each time")
      chosen = nodes[depth].chosen
      depth += 1
    }
    if chosen > 0 { stale += 1 }
    choices.append(48 + UInt8(chosen))
    return chosen
  }

  private mutating func freely(of enabled: UInt8, current: Int) -> Int {
    let canStay = enabled & (1 << UInt8(current)) != 0
    if case .replay(let script) = mode {
      if choices.count < script.count { return Int(script[choices.count] - UInt8(ascii: "a")) }
      return canStay ? current : enabled.trailingZeroBitCount
    }
    if canStay, next(3) != 0 { return current }
    var rest = enabled
    for _ in 0..<next(enabled.nonzeroBitCount) { rest &= rest - 1 }
    return rest.trailingZeroBitCount
  }

  private mutating func next(_ bound: Int) -> Int {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return Int((random >> 33) % UInt64(bound))
  }

  // MARK: Reduction

  /// Ensures that the opposite order of an event and an earlier event of another thread is explored.
  mutating func reverse(_ earlier: Int, _ event: Event, in events: ContiguousArray<Event>) {
    let first = events[earlier]
    guard mode == .all, first.node >= 0 else { return }
    // The events up to this one that do not depend on the earlier event, and the threads that could run the first of
    // them.
    var rest: [Event] = []
    var initials: UInt8 = 0
    var met: UInt8 = 0
    for index in earlier + 1...events.count {
      let other = index == events.count ? event : events[index]
      // To reach the new event first, only the part of its past that does not depend on the earlier event is needed.
      if index < events.count, first.isBefore(other) { continue }
      let bit: UInt8 = 1 << UInt8(other.thread)
      if met & bit == 0 {
        met |= bit
        if !rest.contains(where: { $0.isBefore(other) }) { initials |= bit }
      }
      rest.append(other)
    }
    let node = nodes[first.node]
    guard initials & node.wanted == 0 else { return }
    let able = initials & node.enabled
    let own: UInt8 = 1 << UInt8(event.thread)
    if able & own != 0 {
      nodes[first.node].wanted |= own
    } else if able != 0 {
      nodes[first.node].wanted |= 1 << UInt8(able.trailingZeroBitCount)
    } else {
      nodes[first.node].wanted |= node.enabled
    }
  }
}
