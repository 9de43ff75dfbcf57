/// The system that a program runs in: the engine, or a model of it. Objects are identified by numbers.
protocol ProgramWorld: AnyObject {
  init(events: any ProgramEvents)

  func makePromise(_ promise: Int)
  func makeResolved(_ promise: Int, _ result: ProgramResult)
  func observe(_ source: Int, by observer: Observer)
  /// Makes a `when` of the inputs, and applies `map` to it.
  func gather(_ kind: GatherKind, _ inputs: [Int], asks: Bool, by map: Observer)
  func resolve(_ resolver: Int, with result: ProgramResult)
  func adopt(_ promise: Int, by resolver: Int)
  func onRequestCancel(_ resolver: Int, on context: ContextKind, callback: Int)
  func requestCancel(_ promise: Int)
  /// Requests the cancellation of all promises that were made with a resolver since the last call. Returns `false` if
  /// there was none.
  func askUnresolved() -> Bool
  func dropPromise(_ promise: Int)
  func dropResolver(_ resolver: Int)
  func makeToken(_ token: Int)
  func guardPromise(_ promise: Int, token: Int)
  func invalidate(_ token: Int, suppressing: Bool)
  func dropToken(_ token: Int)
  func runNext()
  func dropNext()

  /// The number of pieces of work in the executor.
  var waitingWork: Int { get }
  func result(of promise: Int) -> ProgramResult?
  func hasRequestedCancel(_ resolver: Int) -> Bool
  /// The number of objects that are still alive after everything has been dropped.
  var leaks: Int { get }
  /// Waits until the global queues have delivered every result that was left to them.
  func waitForQueues()
}

/// Receives the callbacks of a world, and may act on the world in them.
protocol ProgramEvents: AnyObject, Sendable {
  func callbackRuns(_ callback: Int, with result: ProgramResult?)
  /// Called between two actions where another thread may intervene: by the model at all such places, by the engine's
  /// world before its executor takes work.
  func mayBeInterrupted()
  /// Called when a global queue will deliver to the remaining waiters at an unspecified time.
  func leavesRestToQueue()
}

/// An observer to be registered.
struct Observer: Sendable {
  let kind: ObserverKind
  /// The operator's promise. The program does not hold that of a report.
  let promise: Int
  let context: ContextKind
  let token: TokenUse?
  /// The promise that a `flatMap` returns. The callback retains it.
  let target: Int
  let callback: Int
}
