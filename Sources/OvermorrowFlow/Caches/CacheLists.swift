/// The entries of a cache in lists, each in the order of its use. The links of the lists are indices into one array.
///
/// Each entry stores the index of its slot, so every change takes constant time. A change neither retains nor releases
/// an entry.
struct CacheLists {
  /// The entries that the lists contain. Each kind stores the index of an entry's slot in its own field of the entry.
  enum Kind {
    case all
    case costly
  }

  /// One of the lists.
  enum Name: UInt8, CaseIterable {
    /// The keys whose loads are in flight.
    case loading
    /// The values that have arrived latest.
    case window
    /// The values that were too seldom used when they left the window. They are evicted first.
    case rejected
    /// The values that were used often enough when they left the window, and those that have left `protected`.
    case probation
    /// The values that were used again after they had left the window.
    case protected
  }

  private struct Slot {
    /// The entry; `nil` if the slot is free.
    var line: CacheLine?
    /// The slot of the entry that was used before this one or, if the slot is free, the next free slot.
    var older: Int32
    /// The slot of the entry that was used after this one.
    var newer: Int32
    var list: Name
  }

  private struct List {
    var oldest = none
    var newest = none
    var count = 0
    var weight = 0
  }

  /// The index of no slot.
  static var none: Int32 { -1 }

  let kind: Kind
  private var slots: [Slot] = []
  private var lists = Array(repeating: List(), count: Name.allCases.count)
  private var free = CacheLists.none
  /// The number of entries.
  private(set) var count = 0
  /// The sum of the weights of the entries.
  private(set) var weight = 0

  init(_ kind: Kind) { self.kind = kind }

  /// The least recently used entry of a list, or the next one if that is `other`.
  func oldest(_ name: Name, otherThan other: CacheLine? = nil) -> CacheLine? {
    let index = lists[Int(name.rawValue)].oldest
    guard index != Self.none else { return nil }
    let line = slots[Int(index)].line
    guard let other, line === other else { return line }
    let next = slots[Int(index)].newer
    return next == Self.none ? nil : slots[Int(next)].line
  }

  /// All entries of a list, the least recently used one first.
  func all(_ name: Name) -> [CacheLine] {
    var (found, index) = ([CacheLine](), lists[Int(name.rawValue)].oldest)
    while index != Self.none {
      if let line = slots[Int(index)].line { found.append(line) }
      index = slots[Int(index)].newer
    }
    return found
  }

  /// The number of entries in a list.
  func count(_ name: Name) -> Int { lists[Int(name.rawValue)].count }

  /// The sum of the weights of the entries in a list.
  func weight(_ name: Name) -> Int { lists[Int(name.rawValue)].weight }

  /// The list that contains an entry; `nil` if there is none.
  func list(of line: CacheLine) -> Name? { slot(of: line).map { slots[Int($0)].list } }

  /// Adds an entry as the most recently used one of a list.
  mutating func insert(_ line: CacheLine, into name: Name) {
    let slot = takeSlot(for: line, name)
    set(slot, of: line)
    count += 1
    weight += weight(of: line)
    link(slot, name, weight(of: line))
  }

  /// Makes an entry the most recently used one of a list.
  mutating func move(_ line: CacheLine, to name: Name) {
    guard let slot = slot(of: line) else { return }
    guard slots[Int(slot)].list != name || slot != lists[Int(name.rawValue)].newest else { return }
    unlink(slot, weight(of: line))
    link(slot, name, weight(of: line))
  }

  /// Replaces an entry by another one, which gets its place.
  mutating func replace(_ old: CacheLine, by new: CacheLine) {
    guard let slot = slot(of: old) else { return insert(new, into: .window) }
    changeWeight(of: old, by: weight(of: new) - weight(of: old))
    set(Self.none, of: old)
    set(slot, of: new)
    slots[Int(slot)].line = new
  }

  /// Notes that the weight of an entry changes.
  mutating func changeWeight(of line: CacheLine, by difference: Int) {
    guard let slot = slot(of: line) else { return }
    weight += difference
    lists[Int(slots[Int(slot)].list.rawValue)].weight += difference
  }

  /// Removes an entry. Does nothing if the entry is in no list.
  mutating func remove(_ line: CacheLine) {
    guard let slot = slot(of: line) else { return }
    unlink(slot, weight(of: line))
    set(Self.none, of: line)
    count -= 1
    weight -= weight(of: line)
    slots[Int(slot)] = Slot(line: nil, older: free, newer: Self.none, list: .window)
    free = slot
    // Releases the memory that a burst of entries needed.
    if count == 0, slots.capacity > 1024 { self = CacheLists(kind) }
  }

  @inline(__always)
  private func slot(of line: CacheLine) -> Int32? {
    let slot = kind == .all ? line.orderIndex : line.costIndex
    return slot == Self.none ? nil : slot
  }

  @inline(__always)
  private func set(_ slot: Int32, of line: CacheLine) {
    if kind == .all { line.orderIndex = slot } else { line.costIndex = slot }
  }

  @inline(__always)
  func weight(of line: CacheLine) -> Int { kind == .all ? 1 : line.cost }

  private mutating func takeSlot(for line: CacheLine, _ name: Name) -> Int32 {
    let slot = Slot(line: line, older: Self.none, newer: Self.none, list: name)
    guard free != Self.none else {
      slots.append(slot)
      return Int32(slots.count - 1)
    }
    let index = free
    free = slots[Int(index)].older
    slots[Int(index)] = slot
    return index
  }

  private mutating func link(_ slot: Int32, _ name: Name, _ weight: Int) {
    let (list, index) = (Int(name.rawValue), Int(slot))
    slots[index].older = lists[list].newest
    slots[index].newer = Self.none
    slots[index].list = name
    lists[list].weight += weight
    lists[list].count += 1
    if lists[list].newest == Self.none {
      lists[list].oldest = slot
    } else {
      slots[Int(lists[list].newest)].newer = slot
    }
    lists[list].newest = slot
  }

  private mutating func unlink(_ slot: Int32, _ weight: Int) {
    let (older, newer, list) = (slots[Int(slot)].older, slots[Int(slot)].newer, Int(slots[Int(slot)].list.rawValue))
    lists[list].weight -= weight
    lists[list].count -= 1
    if older == Self.none { lists[list].oldest = newer } else { slots[Int(older)].newer = newer }
    if newer == Self.none { lists[list].newest = older } else { slots[Int(newer)].older = older }
  }
}
