/// The state of a bounded `when(fulfilled:)`: what is in flight, and which turn may start more.
///
/// A *turn* reads further inputs. There is one turn at a time: a scheduled one leaves the cursor here, a running one
/// has it. Every transition is one critical section of `BoundedGathering`, and returns what to do after it.
struct BoundedState<Value: Sendable, Failure: Sendable> {
  typealias Cursor = InputCursor<Value, Failure>

  /// What to do after a promise has finished.
  enum Action {
    case nothing
    /// Schedule a turn.
    case turn
    /// All is done: resolve.
    case conclude
  }

  private let limit: Int
  /// `nil` while a turn has it, and after the last start.
  private var cursor: Cursor?
  private var hasTurn = false
  private var inFlight = 0
  /// Whether nothing more will be started, as there is no more input, or because of a request to cancel.
  private var hasEnded = false
  /// Whether every input was started.
  private var isComplete = false
  private var isAsked = false
  private(set) var values: [Value?] = []
  private(set) var decision: PromiseResult<[Value], Failure>?

  init(limit: Int, cursor: Cursor) {
    self.limit = limit
    self.cursor = cursor
  }

  private var isDone: Bool { inFlight == 0 && (hasEnded || decision != nil) }

  /// Whether the caller must schedule a turn.
  mutating func schedulesTurn() -> Bool {
    guard cursor != nil, !hasTurn, inFlight < limit else { return false }
    hasTurn = true
    return true
  }

  /// The scheduled turn begins; `nil` if it has nothing to do.
  mutating func beginTurn() -> Cursor? {
    defer { cursor = nil }
    return cursor
  }

  /// The turn has found another input. Returns its number, or `nil` if it must not be started.
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

  /// Whether the turn may continue with the next input. If not, and unless all is decided, this takes the cursor back.
  mutating func continuesTurn(_ current: Cursor, isBudgetSpent: Bool) -> Bool {
    if decision != nil { return false }
    if inFlight < limit, !isBudgetSpent { return true }
    cursor = current
    hasTurn = false
    return false
  }

  /// Whether only the end of the inputs was missing.
  var isDoneWithInputs: Bool { decision == nil && isDone }

  /// A promise is fulfilled.
  mutating func finish(_ number: Int, with value: Value) -> Action {
    inFlight -= 1
    if decision == nil { values[number] = value }
    if isDone { return .conclude }
    return schedulesTurn() ? .turn : .nothing
  }

  /// What a decision makes superfluous, to release outside the lock.
  struct Leftovers {
    var isFirst = false
    var isDone = false
    var cursor: Cursor?
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
  /// Otherwise those in flight decide; when one of them is fulfilled, the turn reads one more input, to see whether
  /// that was the last.
  mutating func ask() -> Cursor? {
    isAsked = true
    guard inFlight == 0 else { return nil }
    defer { cursor = nil }
    if cursor != nil { hasEnded = true }
    return cursor
  }

  /// The result, once all is done. It is not kept here.
  mutating func takeResult() -> (decision: PromiseResult<[Value], Failure>?, values: [Value?], isComplete: Bool) {
    defer { values = [] }
    return (decision, values, isComplete)
  }
}
