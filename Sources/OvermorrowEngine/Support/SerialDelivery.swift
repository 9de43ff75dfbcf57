/// The deliveries of a state that several threads change. One delivery at a time serves all requests made before it.
///
/// **Rule.** A thread changes the state, and then requests a delivery. If ``request()`` returns `true`, the thread must
/// arrange a call of ``deliver(atMost:_:)``, for instance on a context. The delivery reads the newest state. A callback
/// of a delivery may change the state and request another delivery.
///
/// **No change is lost.** A delivery removes the request before it reads the state. So at its end it finds the request
/// for a change that it did not read. If there is no request, it becomes idle in the same critical section.
///
/// **Order.** A delivery sees all that threads did before the requests that it serves, and all that earlier deliveries
/// did. So a field that only deliveries use needs no lock.
///
/// **Bound.** There are at most as many deliveries as requests. A caller may limit the number of its deliveries.
package final class SerialDelivery: Sendable {
  private enum Phase { case idle, delivering, requested }

  private let phase = Guarded(Phase.idle)

  package init() {}

  /// Requests a delivery of a change that the caller has made. Returns whether the caller must arrange the delivery. If
  /// not, another thread has done so, or delivers once more.
  package func request() -> Bool {
    phase.withLock { phase in
      defer { phase = .requested }
      return phase == .idle
    }
  }

  /// Delivers until all requests are served, at most `limit` times. Returns whether all requests are served. If not,
  /// the caller must arrange another call.
  @discardableResult
  package func deliver(atMost limit: Int = .max, _ delivery: () -> Void) -> Bool {
    for _ in 0..<limit {
      phase.withLock { $0 = .delivering }
      delivery()
      let isOver = phase.withLock { phase in
        if phase == .delivering { phase = .idle }
        return phase == .idle
      }
      if isOver { return true }
    }
    return false
  }

  /// Takes the requests so far, for a delivery on a serial queue. Returns whether there were requests. The queue runs
  /// one delivery at a time, so a request during a delivery may submit the next one at once.
  @discardableResult
  package func take() -> Bool {
    phase.withLock { phase in
      defer { phase = .idle }
      return phase == .requested
    }
  }
}
