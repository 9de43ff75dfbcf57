internal import Dispatch
package import OvermorrowEngine

/// A blocking wait for a watched promise, in the graph of waits.
///
/// Until the wait ends, the task and the callbacks that have called it do not end. If the wait blocks the main queue or
/// a serial queue, no other work of this queue runs.
///
/// A queue that is not known to be serial counts as concurrent.
package final class BlockedWait: WaitSource {
  private let promise: KeptCore
  /// The place that the wait blocks; `nil` if it blocks no queue.
  private let place: Place?
  /// The queue of this place; `nil` for the main queue.
  private let queue: DispatchQueue?
  /// The calls that lead to the wait; `nil` in release builds.
  private let calls: CallStack?
  /// The promises whose callbacks have called the wait.
  private let steps: [PromiseNote]
  /// The wait of the same task inside which this wait began, because the handler of a report has called it; `nil` if
  /// there is none.
  private let outer: BlockedWait?
  private let state: Guarded<State>

  private struct State: Sendable {
    var isReported = false
    var endTaskWait: (@Sendable () -> Void)?
  }

  /// The waits of each place. A wait in the table retains its queue.
  private static let waits = Guarded<[Place: [BlockedWait]]>([:])
  /// The number of waits that have begun and not ended.
  private static let count = Guarded(0)

  /// Whether there is a wait. If there is none, a search for a cycle need not look for the waits of each promise.
  static var exists: Bool { count.withLock { $0 > 0 } }

  private init(for core: CoreRef, on place: Place?, _ steps: [PromiseNote], inside outer: BlockedWait?) {
    promise = KeptCore(core)
    self.place = place
    queue = place.flatMap { $0.isOnMain ? nil : $0.queue }
    self.steps = steps
    self.outer = outer
    calls = .captureIfUseful()
    state = Guarded(State())
  }

  // MARK: The wait

  /// Begins a wait of the calling thread without a deadline. Returns `nil` if the promise is not watched, or if nothing
  /// that the graph contains waits for the calling thread.
  package static func begin(for core: CoreRef) -> BlockedWait? {
    guard DiagnosticsSwitch.makesNotes, PromiseNote.find(core) != nil else { return nil }
    let place = MainQueue.isCurrent ? .main : Pass.queue
    let callbacks = sequence(first: RunningCallback.current) { $0?.outer }
    let steps = callbacks.compactMap { $0 }.compactMap { $0.isStep ? $0.owner as? PromiseNote : nil }
    let task = CurrentTask.number
    if place == nil, steps.isEmpty, task == nil { return nil }
    let wait = BlockedWait(for: core, on: place, steps, inside: task.flatMap { WaitNode(task: $0).blockedWait })
    count.withLock { $0 += 1 }
    for step in steps { step.begin(wait) }
    if let place { waits.withLock { $0[place, default: []].append(wait) } }
    if task != nil { wait.beginTaskWait() }
    return wait
  }

  private func beginTaskWait() {
    let end = TaskWaits.begin(for: self)
    state.withLock { $0.endTaskWait = end }
  }

  package func end() {
    for step in steps { step.end(self) }
    if let place {
      Self.waits.withLock { waits in
        waits[place]?.removeAll { $0 === self }
        if waits[place]?.isEmpty == true { waits[place] = nil }
      }
    }
    state.withLock { $0.endTaskWait.take() }?()
    // A task waits for one thing at a time, so the table has lost the outer wait.
    outer?.beginTaskWait()
    Self.count.withLock { $0 -= 1 }
  }

  /// Reports the cycle that contains this wait, if there is one that was not reported before.
  package func look() { if !isReported { WaitGraph.check(from: WaitNode(promise.core)) } }

  /// Whether a cycle with this wait was reported.
  package var isReported: Bool {
    get { state.withLock { $0.isReported } }
    set { state.withLock { $0.isReported = newValue } }
  }

  // MARK: The graph

  package var needs: WaitNeeds? { needs(clause: "is blocked") }

  /// - Parameter clause: How the wait keeps a node from going on, in words.
  func needs(clause: String) -> WaitNeeds {
    let call = calls?.siteOfCall.map { " at \($0)" } ?? ""
    return WaitNeeds([WaitNode(promise.core)], clause: "\(clause) by a wait\(call) for")
  }

  /// The queue in words.
  var label: String {
    guard let queue else { return "the main queue" }
    return queue.label.isEmpty ? "a serial queue" : "the queue \(queue.label)"
  }

  /// Whether the wait blocks the main queue or a serial queue.
  private var blocksQueue: Bool { place != nil && queue?.isKnownSerial != false }

  /// Returns the wait that blocks the queue of a place, if the queue is known to be serial.
  ///
  /// - Parameter place: A place, which is only compared.
  static func blocking(_ place: Place) -> BlockedWait? {
    guard place.isOnMain || place.isQueue else { return nil }
    // A queue with two waits is not serial.
    let found = waits.withLock { $0[place.isOnMain ? .main : place] ?? [] }
    guard found.count == 1, let wait = found.first else { return nil }
    return wait.blocksQueue ? wait : nil
  }

  /// Returns whether the wait blocks the queue, and does not find the deadlock by itself. A wait that finds a deadlock
  /// ends with an error.
  func keepsQueue() -> Bool {
    promise.core.neededPlace(where: { $0.isOnMain ? place == .main : $0 == place }) == nil && blocksQueue
  }
}
