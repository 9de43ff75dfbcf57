/// Where a bounded `when(fulfilled:)` stands: what is in flight, and who may start more.
///
/// A *turn* walks on through the inputs. There is one at a time: scheduled, with the cursor still here; or running, and
/// then it has the cursor. Every transition is one critical section of `BoundedGathering`, and tells what to do after it.
struct BoundedState<Input: Sendable, Value: Sendable, Failure: Sendable> {
  typealias Steps = InputCursor<Input, Promise<Value, Failure>>

  /// What is to be done after a promise has finished.
  enum Action {
    case nothing
    /// Have a turn.
    case turn
    /// All is done: resolve.
    case conclude
  }

  private let limit: Int
  /// `nil` while a turn has it, and when nothing will be started any more.
  private var cursor: Steps?
  private var hasTurn = false
  private var inFlight = 0
  /// Nothing more will be started: because there is no more input, or because of a request to cancel.
  private var hasEnded = false
  /// Every input has been started.
  private var isComplete = false
  private var isAsked = false
  private(set) var values: [Value?] = []
  private(set) var decision: PromiseResult<[Value], Failure>?

  init(limit: Int, cursor: Steps) {
    self.limit = limit
    self.cursor = cursor
  }

  private var isDone: Bool { inFlight == 0 && (hasEnded || decision != nil) }

  /// Whether the caller is to schedule a turn.
  mutating func schedulesTurn() -> Bool {
    guard cursor != nil, !hasTurn, inFlight < limit else { return false }
    hasTurn = true
    return true
  }

  /// The scheduled turn begins; `nil` when it has nothing to do any more.
  mutating func beginTurn() -> Steps? {
    defer { cursor = nil }
    return cursor
  }

  /// The turn has found another input: the number to start it under; `nil` when it may not be started.
  mutating func admit() -> Int? {
    if decision == nil, isAsked { hasEnded = true }
    if decision != nil || hasEnded { return nil }
    inFlight += 1
    values.append(nil)
    return values.count - 1
  }

  /// The turn has found no other input.
  mutating func complete() {
    hasEnded = true
    isComplete = true
  }

  /// Whether the turn may go on to the next input. If not, and unless all is decided, it gives the cursor back.
  mutating func continuesTurn(_ current: Steps, isBudgetSpent: Bool) -> Bool {
    if decision != nil { return false }
    if inFlight < limit, !isBudgetSpent { return true }
    cursor = current
    hasTurn = false
    return false
  }

  /// Whether the end of the cursor was the last thing to wait for.
  var isDoneWithInputs: Bool { decision == nil && isDone }

  /// A promise is fulfilled.
  mutating func finish(_ number: Int, with value: Value) -> Action {
    inFlight -= 1
    if decision == nil { values[number] = value }
    if isDone { return .conclude }
    return schedulesTurn() ? .turn : .nothing
  }

  /// What a decision makes superfluous, to be dropped outside the lock.
  struct Leftovers {
    var isFirst = false
    var isDone = false
    var cursor: Steps?
    var values: [Value?] = []
  }

  /// A promise has failed, or something else went wrong: nothing more is started.
  mutating func decide(_ result: PromiseResult<[Value], Failure>, finishing: Bool) -> Leftovers {
    if finishing { inFlight -= 1 }
    var leftovers = Leftovers()
    if decision == nil {
      leftovers = Leftovers(isFirst: true, cursor: cursor, values: values)
      decision = result
      cursor = nil
      values = []
    }
    leftovers.isDone = isDone
    return leftovers
  }

  /// Cancelling is requested: nothing more is started. A cursor is returned if nothing is in flight.
  ///
  /// Otherwise those in flight decide, and the cursor goes on by one input when one of them is fulfilled, to see whether
  /// that has been the last.
  mutating func ask() -> Steps? {
    isAsked = true
    guard inFlight == 0 else { return nil }
    defer { cursor = nil }
    if cursor != nil { hasEnded = true }
    return cursor
  }

  /// The result, once all is done, and nothing is kept.
  mutating func takeResult() -> (decision: PromiseResult<[Value], Failure>?, values: [Value?], isComplete: Bool) {
    defer { values = [] }
    return (decision, values, isComplete)
  }
}
