/// Entries of a cache in the order of their use: a list whose links are indices into an array.
///
/// Each entry stores the index of its slot, so every change takes constant time. A change of the order neither retains
/// nor releases an entry.
struct CacheOrder {
  /// The entries that a list contains. Each kind of list stores the index of an entry's slot in its own field.
  enum Kind {
    case all
    case costly
  }

  private struct Slot {
    /// The entry; `nil` if the slot is free.
    var line: CacheLine?
    /// The slot of the entry that was used before this one or, if the slot is free, the next free slot.
    var older: Int
    /// The slot of the entry that was used after this one.
    var newer: Int
  }

  /// The index of no slot.
  static var none: Int { -1 }

  private let kind: Kind
  private var slots: [Slot] = []
  private var oldestIndex = CacheOrder.none
  private var newest = CacheOrder.none
  private var free = CacheOrder.none
  private(set) var count = 0

  init(_ kind: Kind) { self.kind = kind }

  /// The least recently used entry.
  var oldest: CacheLine? { oldestIndex == Self.none ? nil : slots[oldestIndex].line }

  /// Adds an entry as the most recently used one.
  mutating func insert(_ line: CacheLine) {
    let index = takeSlot(for: line)
    set(index, of: line)
    count += 1
    link(index)
  }

  /// Makes an entry the most recently used one. Does nothing if the entry is not in the list.
  mutating func touch(_ line: CacheLine) {
    let index = index(of: line)
    guard index != Self.none, index != newest else { return }
    unlink(index)
    link(index)
  }

  /// Removes an entry. Does nothing if the entry is not in the list.
  mutating func remove(_ line: CacheLine) {
    let index = index(of: line)
    guard index != Self.none else { return }
    set(Self.none, of: line)
    unlink(index)
    slots[index] = Slot(line: nil, older: free, newer: Self.none)
    free = index
    count -= 1
    // Releases the memory that a burst of entries needed.
    if count == 0, slots.capacity > 1024 { self = CacheOrder(kind) }
  }

  @inline(__always)
  private func index(of line: CacheLine) -> Int { kind == .all ? line.index : line.costIndex }

  @inline(__always)
  private func set(_ index: Int, of line: CacheLine) {
    if kind == .all { line.index = index } else { line.costIndex = index }
  }

  private mutating func takeSlot(for line: CacheLine) -> Int {
    let slot = Slot(line: line, older: Self.none, newer: Self.none)
    guard free != Self.none else {
      slots.append(slot)
      return slots.count - 1
    }
    let index = free
    free = slots[index].older
    slots[index] = slot
    return index
  }

  private mutating func link(_ index: Int) {
    slots[index].older = newest
    slots[index].newer = Self.none
    if newest == Self.none { oldestIndex = index } else { slots[newest].newer = index }
    newest = index
  }

  private mutating func unlink(_ index: Int) {
    let (older, newer) = (slots[index].older, slots[index].newer)
    if older == Self.none { oldestIndex = newer } else { slots[older].newer = newer }
    if newer == Self.none { newest = older } else { slots[newer].older = older }
  }
}
