internal import Overmorrow
internal import OvermorrowDiagnostics

/// The state of a gate. The methods only change the state, and the gate calls them under its lock.
struct GateState: Sendable {
  typealias End = (promise: Promise<Void, Never>, resolver: Promise<Void, Never>.Resolver)

  private(set) var running = 0
  /// The promise for the end of the running work. `nil` while the gate is open.
  private(set) var end: End?
  /// Whether the running work was asked to cancel.
  private(set) var isCancelling = false
  /// The running async closures.
  private(set) var calls: [ObjectIdentifier: ChildCall] = [:]
  /// The running promises that may be watched, by their numbers.
  var promises: [UInt: WaitNode] = [:]
  var lastNumber: UInt = 0
  /// Whether the running work will be asked to cancel.
  var hasDeadline = false
  /// The observer of the events; `nil` if there is none.
  var observer: FlowObserver?

  /// Admits work if the gate is open. Returns whether the work was admitted.
  mutating func enter(_ call: ChildCall? = nil) -> Bool {
    guard end == nil else { return false }
    running += 1
    if let call { calls[ObjectIdentifier(call)] = call }
    return true
  }

  /// Removes work that has ended. Returns the resolver of the end if no work is left and the gate is closed.
  mutating func leave(_ call: ChildCall? = nil) -> Promise<Void, Never>.Resolver? {
    if let call { calls[ObjectIdentifier(call)] = nil }
    running -= 1
    return running == 0 ? end?.resolver : nil
  }

  /// Closes the gate. Returns the promise for the end, and its resolver if no work is running.
  ///
  /// - Parameter end: The promise for the end if the gate is open.
  mutating func close(with end: End) -> (promise: Promise<Void, Never>, ended: Promise<Void, Never>.Resolver?) {
    let end = self.end ?? end
    self.end = end
    return (end.promise, running == 0 ? end.resolver : nil)
  }

  /// Records that the running work is asked to cancel. Returns the async closures to ask.
  mutating func cancel() -> [ChildCall] {
    isCancelling = true
    return Array(calls.values)
  }
}
