/// A list that is used first in, first out. Both ends take constant time, and it keeps nothing that was taken.
struct Queue<Element> {
  private var elements: [Int: Element] = [:]
  private var first = 0

  var count: Int { elements.count }

  mutating func append(_ element: Element) { elements[first + elements.count] = element }

  mutating func popFirst() -> Element? {
    guard let element = elements.removeValue(forKey: first) else { return nil }
    first += 1
    return element
  }
}
