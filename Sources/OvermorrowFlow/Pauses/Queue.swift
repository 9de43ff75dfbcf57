/// A first-in, first-out queue. Both operations take constant time on average. The storage has less than twice as many
/// slots in use as there are elements, and elements that were taken out are not retained.
struct Queue<Element> {
  /// The elements, after `first` empty slots of elements that were taken out.
  private var slots: [Element?] = []
  private var first = 0

  var count: Int { slots.count - first }

  mutating func append(_ element: Element) { slots.append(element) }

  mutating func popFirst() -> Element? {
    guard first < slots.count else { return nil }
    let element = slots[first].take()
    first += 1
    // This moves at most as many elements as were taken out since the previous time.
    if first * 2 >= slots.count {
      slots.removeFirst(first)
      first = 0
    }
    return element
  }
}

extension Queue: Sendable where Element: Sendable {}
