internal import Overmorrow
internal import OvermorrowEngine

/// The observers of the states of a circuit breaker. Each observer receives the states in the order of the changes.
final class StateObservers: Sendable {
  typealias Element = PromiseCircuitBreaker.State
  typealias Observer = AsyncStream<Element>.Continuation

  /// The largest number of states that are kept for an observer, and that are kept while a thread delivers others.
  static var limit: Int { 16 }

  private struct State {
    var observers: [Int: (observer: Observer, since: Int)] = [:]
    var lastID = 0
    /// The number of the latest state.
    var number = 0
    var latest = Element.closed
    var undelivered: [(state: Element, number: Int)] = []

    /// Takes the next state to deliver, with its observers.
    mutating func next() -> (Element, [Observer])? {
      if undelivered.isEmpty { return nil }
      let (element, number) = undelivered.removeFirst()
      return (element, observers.values.filter { $0.since < number }.map(\.observer))
    }
  }

  private let state = Guarded(State())
  private let delivery = SerialDelivery()

  deinit {
    for (observer, _) in state.withLock({ $0.observers.values.map { $0 } }) { observer.finish() }
  }

  /// Returns a sequence of the latest state and all later states.
  func stream() -> AsyncStream<Element> {
    let (stream, observer) = AsyncStream<Element>.makeStream(bufferingPolicy: .bufferingNewest(Self.limit))
    let id = state.withLock { state in
      state.lastID += 1
      // This only fills the buffer, because nothing waits for the stream yet.
      observer.yield(state.latest)
      state.observers[state.lastID] = (observer, state.number)
      return state.lastID
    }
    observer.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  /// Records a state. The caller has the lock that guards the changes, so that the states are recorded in order.
  func record(_ new: Element) {
    state.withLock { state in
      state.number += 1
      state.latest = new
      guard !state.observers.isEmpty else { return }
      state.undelivered.append((new, state.number))
      if state.undelivered.count > Self.limit { state.undelivered.removeFirst() }
    }
  }

  /// Delivers the recorded states, unless another thread is delivering them.
  func deliver() {
    guard delivery.request() else { return }
    delivery.deliver {
      while let (element, observers) = state.withLock({ $0.next() }) {
        for observer in observers { observer.yield(element) }
      }
    }
  }

  private func remove(_ id: Int) {
    let removed = state.withLock { $0.observers.removeValue(forKey: id) }
    withExtendedLifetime(removed) {}
  }
}
