/// The entries of a cache in the order of their use: a list whose links are indices into an array.
///
/// Each entry stores the index of its slot, so every change takes constant time. A change of the order neither retains
/// nor releases an entry.
struct CacheOrder {
  private struct Slot {
    /// The entry; `nil` if the slot is free.
    var line: CacheLine?
    /// The slot of the entry that was used before this one or, if the slot is free, the next free slot.
    var older: Int
    /// The slot of the entry that was used after this one.
    var newer: Int
  }

  /// The index of no slot.
  private static var none: Int { -1 }

  private var slots: [Slot] = []
  private var oldest = CacheOrder.none
  private var newest = CacheOrder.none
  private var free = CacheOrder.none
  private(set) var count = 0

  /// Adds an entry as the most recently used one.
  mutating func insert(_ line: CacheLine) {
    let index = takeSlot(for: line)
    line.index = index
    count += 1
    link(index)
  }

  /// Makes an entry the most recently used one. Does nothing if the entry is not in the list.
  mutating func touch(_ line: CacheLine) {
    guard let index = line.index, index != newest else { return }
    unlink(index)
    link(index)
  }

  /// Removes an entry. Does nothing if the entry is not in the list.
  mutating func remove(_ line: CacheLine) {
    guard let index = line.index else { return }
    line.index = nil
    unlink(index)
    slots[index] = Slot(line: nil, older: free, newer: Self.none)
    free = index
    count -= 1
    // Releases the memory that a burst of entries needed.
    if count == 0, slots.capacity > 1024 { self = CacheOrder() }
  }

  /// Removes the least recently used entry.
  mutating func popOldest() -> CacheLine? {
    guard oldest != Self.none, let line = slots[oldest].line else { return nil }
    remove(line)
    return line
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
    if newest == Self.none { oldest = index } else { slots[newest].newer = index }
    newest = index
  }

  private mutating func unlink(_ index: Int) {
    let (older, newer) = (slots[index].older, slots[index].newer)
    if older == Self.none { oldest = newer } else { slots[older].newer = newer }
    if newer == Self.none { newest = older } else { slots[newer].older = older }
  }
}
