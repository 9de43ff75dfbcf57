/// A first-in, first-out queue. Operations at both ends take constant time. Elements that were taken out are not
/// retained.
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
