import Synchronization

/// A hand-written replacement for a promise: an optional value and the closures that wait for it.
///
/// It supports one thread and one type of value, and neither failure nor cancellation: the lower bound of the cost.
final class ClosureCell {
  private var value: Int?
  private var callbacks: [(Int) -> Void] = []

  init() {}
  init(_ value: Int) { self.value = value }

  func fulfill(_ newValue: Int) {
    guard value == nil else { return }
    value = newValue
    let waiting = callbacks
    callbacks = []
    for callback in waiting { callback(newValue) }
  }

  func whenFulfilled(_ callback: @escaping (Int) -> Void) {
    if let value { callback(value) } else { callbacks.append(callback) }
  }

  func map(_ transform: @escaping (Int) -> Int) -> ClosureCell {
    let child = ClosureCell()
    whenFulfilled { child.fulfill(transform($0)) }
    return child
  }

  func flatMap(_ transform: @escaping (Int) -> ClosureCell) -> ClosureCell {
    let child = ClosureCell()
    whenFulfilled { transform($0).whenFulfilled { child.fulfill($0) } }
    return child
  }
}

/// Like ``ClosureCell``, but for several threads, with a lock.
final class LockedClosureCell: Sendable {
  private struct State {
    var value: Int?
    var callbacks: [@Sendable (Int) -> Void] = []
  }

  private let state = Mutex(State())

  func fulfill(_ newValue: Int) {
    let waiting: [@Sendable (Int) -> Void] = state.withLock { state in
      guard state.value == nil else { return [] }
      state.value = newValue
      let waiting = state.callbacks
      state.callbacks = []
      return waiting
    }
    for callback in waiting { callback(newValue) }
  }

  func whenFulfilled(_ callback: @escaping @Sendable (Int) -> Void) {
    let value: Int? = state.withLock { state in
      if state.value == nil { state.callbacks.append(callback) }
      return state.value
    }
    if let value { callback(value) }
  }
}
