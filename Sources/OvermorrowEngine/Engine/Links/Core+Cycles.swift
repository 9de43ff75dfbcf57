/// The search for a cycle, in which a promise waits for itself through others.
///
/// Only a watched promise and the load of a cache make this search, because the search visits what the adopted promise
/// waits for. In a program that is not watched, the promises of another cycle stay unresolved (`Documentation/0018`).
extension CoreRef {
  /// Whether this core looks for cycles, because it is watched or has the trait `findsCycles`.
  package var looksForCycles: Bool {
    !traits.isDisjoint(with: [.checked, .findsCycles]) || DiagnosticsSwitch.mayWatchAll
  }

  /// Returns whether `self` waits for itself through `other`, and reports this mistake.
  ///
  /// The link to `other` must have been made before this call. The links and the loads of the search are in the total
  /// order of E7. So if several threads together close one cycle, the thread whose link is the last sees the whole
  /// cycle.
  package func closesCycle(through other: CoreRef) -> Bool {
    guard !state.isResolved, CycleSearch.leads(from: other, to: self) else { return false }
    report(.resolvedWithItself)
    return true
  }
}

private enum CycleSearch {
  /// The largest number of cores that a search visits, the nearest first. A cycle beyond them is not found.
  private static var mostVisited: Int { 200 }

  /// Returns whether `start` waits for `end`, directly or through others.
  ///
  /// The search visits each core once, and holds a count on it so that its address is not reused meanwhile.
  static func leads(from start: CoreRef, to end: CoreRef) -> Bool {
    var kept = OwnedCores()
    var visits = [(core: start, waiter: 0)]
    var seen: Set<UInt> = [start.address]
    var index = 0
    while index < min(visits.count, mostVisited) {
      for core in kept.keep(visits[index].core.upstream(unresolved: mostVisited)) {
        if core == end {
          // An unresolved core has not left what it waited for. So if all cores on the way are still unresolved, they
          // all waited at one time.
          let way = sequence(first: index) { $0 == 0 ? nil : visits[$0].waiter }
          if way.allSatisfy({ !visits[$0].core.state.isResolved }) { return true }
        } else if !core.state.isResolved, seen.insert(core.address).inserted {
          visits.append((core, index))
        }
      }
      index += 1
    }
    return false
  }
}
