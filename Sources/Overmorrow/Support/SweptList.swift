/// A list that removes what is spent when it has grown to twice what was left the last time: so that costs a constant for each
/// element, and what is spent takes at most as much room as what is not.
struct SweptList<Element> {
  private(set) var elements: [Element] = []
  private var sweepAt = SweptList.least

  /// How many elements are not worth a sweep.
  static var least: Int { 8 }

  var last: Element? { elements.last }

  /// Adds an element.
  ///
  /// - Returns: What was removed; elements whose end is not to come under a lock go there with it.
  @discardableResult
  mutating func append(_ element: Element, sweeping isSpent: (Element) -> Bool) -> [Element] {
    var swept: [Element] = []
    if elements.count >= sweepAt {
      swept = elements.filter(isSpent)
      elements = elements.filter { !isSpent($0) }
      sweepAt = max(SweptList.least, 2 * elements.count)
    }
    if elements.isEmpty { elements.reserveCapacity(2) }
    elements.append(element)
    return swept
  }

  /// Removes all elements.
  mutating func takeAll() -> [Element] {
    defer { self = SweptList() }
    return elements
  }
}

extension SweptList: Sendable where Element: Sendable {}
