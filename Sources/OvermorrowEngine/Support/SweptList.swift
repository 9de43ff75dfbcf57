/// A list that removes its spent elements each time that it has doubled since the last sweep. So each element has a
/// constant amortised cost. The list contains at most twice the number of elements that the last sweep left, or at most
/// ``least`` elements.
package struct SweptList<Element> {
  package private(set) var elements: [Element] = []
  private var sweepAt = SweptList.least

  /// The size below which there is no sweep.
  static var least: Int { 8 }

  package init() {}

  var last: Element? { elements.last }

  /// Adds an element.
  ///
  /// - Returns: The removed elements, so that the caller can release them after unlocking.
  @discardableResult
  package mutating func append(_ element: Element, sweeping isSpent: (Element) -> Bool) -> [Element] {
    var swept: [Element] = []
    if elements.count >= sweepAt {
      // Each element is tested once, because an element may become spent during the sweep.
      var kept: [Element] = []
      for element in elements {
        if isSpent(element) { swept.append(element) } else { kept.append(element) }
      }
      elements = kept
      sweepAt = max(SweptList.least, 2 * elements.count)
    }
    if elements.isEmpty { elements.reserveCapacity(2) }
    elements.append(element)
    return swept
  }

  package mutating func takeAll() -> [Element] {
    defer { self = SweptList() }
    return elements
  }
}

extension SweptList: Sendable where Element: Sendable {}
