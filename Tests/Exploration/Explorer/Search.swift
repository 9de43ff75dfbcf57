import Overmorrow

/// How the schedules of a program are gone through.
enum Mode: Equatable {
  /// All of them, but for those that differ in the order of independent steps only.
  case all
  /// All with a limited number of preemptions and of loads that see an old value.
  case bounded(preemptions: Int, stale: Int)
  /// Some, by chance.
  case random(seed: UInt64)
  /// One that has been printed.
  case replay([UInt8])

  /// Within the bounds that find most of what is wrong, and are soon gone through.
  static let narrow = Mode.bounded(preemptions: 3, stale: 1)
}

/// What has happened, as far as the order of dependent events is concerned.
struct Event {
  let thread: Int
  /// What comes before it, itself included.
  let clock: Clock
  /// The choice by which the thread's turn came; negative if there was none.
  let node: Int

  var stamp: Int32 { clock[thread] }

  func isBefore(_ other: Event) -> Bool { other.clock[thread] >= stamp }
}

/// The tree of all choices, of which one path is kept: depth first, with dynamic partial-order reduction by source sets and
/// sleep sets (Abdulla, Aronis, Jonsson, Sagonas 2014).
struct Search {
  private struct Node {
    /// Which threads could have gone on, as bits; zero if a value was chosen.
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
  /// Of one execution, to be printed.
  private(set) var choices: ContiguousArray<UInt8> = []
  /// Those that need not be run from here, as what comes of it has been seen.
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

  /// Makes the next path; `false` when there is none.
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

  /// Whose turn it is, of several that could go on; `nil` if all that could come of it has been seen.
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

  /// Which of several values is seen: 0 for the newest.
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

  /// An event and an earlier one of another thread could have come in the other order: ensures that this is tried.
  mutating func reverse(_ earlier: Int, _ event: Event, in events: ContiguousArray<Event>) {
    let first = events[earlier]
    guard mode == .all, first.node >= 0 else { return }
    // What does not need the earlier event, up to this one; of that, those who could begin.
    var rest: [Event] = []
    var initials: UInt8 = 0
    var met: UInt8 = 0
    for index in earlier + 1...events.count {
      let other = index == events.count ? event : events[index]
      // In order to get to the new event, only that part of its past counts that is not after the earlier one.
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
