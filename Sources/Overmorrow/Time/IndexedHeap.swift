/// An entry of a heap. The entry stores its index in the heap.
///
/// The fields of an entry belong to the owner of its heap.
@usableFromInline
package protocol IndexedHeapEntry: AnyObject {
  /// The index of the entry in the heap; `nil` if the entry is in no heap. Only the heap writes the index.
  var index: Int? { get set }
  /// The insertion number. Of two equal entries, the one that was inserted first comes first. Only the heap writes the
  /// number.
  var number: UInt64 { get set }

  /// Returns whether this entry comes before another one, or `nil` if the order of insertion decides.
  func precedes(_ other: Self) -> Bool?
}

extension IndexedHeapEntry {
  @inlinable
  package func precedes(_ other: Self) -> Bool? { nil }
}

/// A binary min-heap. Each entry stores its index, so an entry can be removed in logarithmic time.
@usableFromInline
package struct IndexedHeap<Entry: IndexedHeapEntry> {
  @usableFromInline var entries: [Entry] = []
  @usableFromInline var inserted: UInt64 = 0

  @inlinable
  package init() {}

  @inlinable package var count: Int { entries.count }
  @inlinable package var first: Entry? { entries.first }

  /// Returns an entry that satisfies a condition, or `nil` if there is none.
  @inlinable
  package func firstEntry(where condition: (Entry) -> Bool) -> Entry? { entries.first(where: condition) }

  @inlinable
  package mutating func insert(_ entry: Entry) {
    inserted += 1
    entry.number = inserted
    entry.index = entries.count
    entries.append(entry)
    siftUp(entries.count - 1)
  }

  /// Removes an entry. If the entry is not in the heap, does nothing.
  @inlinable
  package mutating func remove(_ entry: Entry) {
    guard let index = entry.index else { return }
    entry.index = nil
    let last = entries.removeLast()
    if last !== entry {
      put(last, at: index)
      siftDown(index)
      siftUp(index)
    }
    // Releases the memory that a burst of entries needed.
    if entries.isEmpty, entries.capacity > 1024 { entries = [] }
  }

  @inlinable
  package mutating func popFirst() -> Entry? {
    let first = entries.first
    if let first { remove(first) }
    return first
  }

  /// Moves an entry to its place after a change of its order. If the entry is not in the heap, does nothing.
  @inlinable
  package mutating func reorder(_ entry: Entry) {
    guard let index = entry.index else { return }
    siftDown(index)
    siftUp(entry.index ?? index)
  }

  @inlinable
  mutating func put(_ entry: Entry, at index: Int) {
    entries[index] = entry
    entry.index = index
  }

  @inlinable
  func isBefore(_ left: Entry, _ right: Entry) -> Bool { left.precedes(right) ?? (left.number < right.number) }

  @inlinable
  mutating func siftUp(_ start: Int) {
    var index = start
    let entry = entries[index]
    while index > 0 {
      let parent = (index - 1) / 2
      guard isBefore(entry, entries[parent]) else { break }
      put(entries[parent], at: index)
      index = parent
    }
    put(entry, at: index)
  }

  @inlinable
  mutating func siftDown(_ start: Int) {
    var index = start
    let entry = entries[index]
    while true {
      var child = 2 * index + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, isBefore(entries[child + 1], entries[child]) { child += 1 }
      guard isBefore(entries[child], entry) else { break }
      put(entries[child], at: index)
      index = child
    }
    put(entry, at: index)
  }
}

extension IndexedHeap: Sendable where Entry: Sendable {}
