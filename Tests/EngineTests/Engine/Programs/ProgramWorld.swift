/// What a program runs in: the engine, or a model of it. Everything is named by numbers.
protocol ProgramWorld: AnyObject {
  init(events: any ProgramEvents)

  func makePromise(_ promise: Int)
  func makeResolved(_ promise: Int, _ result: ProgramResult)
  func observe(_ source: Int, by observer: Observer)
  /// Makes a `when` of these, and a `map` on it.
  func gather(_ kind: GatherKind, _ inputs: [Int], asks: Bool, by map: Observer)
  func resolve(_ resolver: Int, with result: ProgramResult)
  func adopt(_ promise: Int, by resolver: Int)
  func onRequestCancel(_ resolver: Int, on context: ContextKind, callback: Int)
  func requestCancel(_ promise: Int)
  /// Asks all promises that were made with a resolver since the last time; `false` if there was none.
  func askUnresolved() -> Bool
  func dropPromise(_ promise: Int)
  func dropResolver(_ resolver: Int)
  func makeToken(_ token: Int)
  func guardPromise(_ promise: Int, token: Int)
  func invalidate(_ token: Int, suppressing: Bool)
  func dropToken(_ token: Int)
  func runNext()
  func dropNext()

  /// How much work the executor has.
  var waitingWork: Int { get }
  func result(of promise: Int) -> ProgramResult?
  func hasRequestedCancel(_ resolver: Int) -> Bool
  /// What is still alive although everything has been dropped.
  var leaks: Int { get }
  /// Waits until no promise is left to a global queue that is to serve those who wait.
  func waitForQueues()
}

/// Receives the callbacks of a world, and may act in them.
protocol ProgramEvents: AnyObject, Sendable {
  func callbackRuns(_ callback: Int, with result: ProgramResult?)
  /// The model is between two things that another thread may come between.
  func mayBeInterrupted()
  /// A global queue goes on with those who wait: when that is, is not known.
  func goesOnElsewhere()
}

/// An observer to be registered.
struct Observer: Sendable {
  let kind: ObserverKind
  /// The promise made for it; that of a report is not held.
  let promise: Int
  let context: ContextKind
  let token: TokenUse?
  /// The promise that a `flatMap` returns. Its callback holds it.
  let target: Int
  let callback: Int
}
