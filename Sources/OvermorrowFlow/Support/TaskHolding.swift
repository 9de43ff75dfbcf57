internal import Overmorrow
internal import OvermorrowEngine

/// Something that async code holds while a closure runs, such as a place in a limiter.
///
/// A task-local value contains the innermost holding of the current code. So code that is about to wait can find out
/// whether it would wait for itself, because everything that could end its wait waits for the code.
@usableFromInline
class TaskHolding: @unchecked Sendable {
  // Sendable: `outer` never changes; `waits` is only used under the lock of `waiting`.

  /// The task-local value with the innermost holding of the current code.
  @usableFromInline static let local = TaskLocal<TaskHolding?>(wrappedValue: nil)

  /// The holding around this one.
  final let outer: TaskHolding?
  /// The waits of the code inside this holding. The key is the identity of the object that waits.
  private final var waits: [ObjectIdentifier: any HoldingSource] = [:]

  /// The lock of the waits.
  private static let waiting = Guarded(())

  init(within outer: TaskHolding?) { self.outer = outer }

  /// This holding and those around it.
  private final var chain: some Sequence<TaskHolding> { sequence(first: self, next: \.outer) }

  /// Begins a wait of the code inside this holding, unless the wait could never end.
  ///
  /// - Parameters:
  ///   - source: The source that is waited for.
  ///   - waiter: The object that waits.
  /// - Returns: Whether the wait has begun. Then ``endWait(of:)`` must follow.
  final func beginWait(for source: any HoldingSource, of waiter: AnyObject) -> Bool {
    let id = ObjectIdentifier(waiter)
    let (mayEnd, seen) = TaskHolding.waiting.withLock { _ in
      for holding in chain { holding.waits[id] = source }
      let (mayEnd, seen) = TaskHolding.mayEnd(waitFor: source)
      if !mayEnd { for holding in chain { holding.waits[id] = nil } }
      return (mayEnd, seen)
    }
    // The last reference to a holding may be among these, and its release may run user code.
    withExtendedLifetime(seen) {}
    return mayEnd
  }

  /// Ends a wait. Does nothing if the wait has ended.
  final func endWait(of waiter: AnyObject) {
    let id = ObjectIdentifier(waiter)
    TaskHolding.waiting.withLock { _ in
      for holding in chain { holding.waits[id] = nil }
    }
  }

  /// Returns whether a wait for a source can end, and the holdings that were seen.
  ///
  /// A wait can end if the source needs the end of no holding, or if the code inside one of its holdings can go on.
  /// That code can go on if all its waits can end.
  private static func mayEnd(waitFor source: any HoldingSource) -> (Bool, seen: [[TaskHolding]]) {
    var (open, going) = ([source], Set<ObjectIdentifier>())
    var (stuck, seen) = ([ObjectIdentifier: [TaskHolding]](), [[TaskHolding]]())
    while let next = open.popLast() {
      let id = ObjectIdentifier(next)
      if stuck[id] != nil || going.contains(id) { continue }
      guard let holdings = next.holdings else {
        going.insert(id)
        continue
      }
      stuck[id] = holdings
      seen.append(holdings)
      for holding in holdings { open += holding.waits.values }
    }
    while !going.contains(ObjectIdentifier(source)) {
      let freed = stuck.filter { _, holdings in
        holdings.contains { $0.waits.values.allSatisfy { going.contains(ObjectIdentifier($0)) } }
      }
      if freed.isEmpty { return (false, seen) }
      for id in freed.keys {
        going.insert(id)
        stuck[id] = nil
      }
    }
    return (true, seen)
  }
}

/// A source of holdings, such as a limiter. Code may wait until it gets a holding.
protocol HoldingSource: AnyObject, Sendable {
  /// The holdings of which one must end before a wait for this source ends; `nil` if a wait may end without that.
  var holdings: [TaskHolding]? { get }
}
