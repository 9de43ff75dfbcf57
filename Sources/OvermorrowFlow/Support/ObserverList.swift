/// Observers in the order of their arrival. The removal of any observer has a constant amortised cost.
struct ObserverList<Observer: AnyObject & Sendable>: Sendable {
  /// The observers, and `nil` for each removed observer that the list still has a place for.
  private var places: [Observer?] = []
  private var indices: [ObjectIdentifier: Int] = [:]

  var isEmpty: Bool { indices.isEmpty }
  var count: Int { indices.count }
  /// The observers. The caller must not release the result under a lock.
  var all: [Observer] { places.compactMap { $0 } }

  mutating func append(_ observer: Observer) {
    indices[ObjectIdentifier(observer)] = places.count
    places.append(observer)
  }

  /// Removes an observer. Returns the observer that was in the list, so that the caller can release it after unlocking.
  mutating func remove(_ observer: Observer) -> Observer? {
    guard let index = indices.removeValue(forKey: ObjectIdentifier(observer)) else { return nil }
    let removed = places[index].take()
    if places.count > 8, places.count > 2 * indices.count { compact() }
    return removed
  }

  /// Closes the gaps, which are more than half of the places.
  private mutating func compact() {
    let all = all
    self = ObserverList()
    for observer in all { append(observer) }
  }
}
