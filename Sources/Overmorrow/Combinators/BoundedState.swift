/// The state of a bounded `when(fulfilled:)`: the promises in flight, and the turn that may start more promises.
///
/// A *turn* reads further inputs. There is at most one turn at a time. Until a scheduled turn begins, this structure
/// has the cursor. A running turn takes the cursor out of this structure. `BoundedGathering` makes each transition in
/// one critical section, and then performs the action that the transition has returned.
struct BoundedState<Value: Sendable, Failure: Sendable> {
  typealias Cursor = InputCursor<Value, Failure>

  /// What to do after a promise has finished.
  enum Action {
    case nothing
    /// Schedule a turn.
    case turn
    /// Resolve the promise, because all promises that were started have finished.
    case conclude
  }

  private let limit: Int
  /// The position in the inputs; `nil` while a turn runs, and when no further turn is needed.
  private var cursor: Cursor?
  private var hasTurn = false
  private var inFlight = 0
  /// Whether no further promise will be started, because the inputs have ended or cancellation was requested.
  private var hasEnded = false
  /// Whether every input was started.
  private var isComplete = false
  private var isCancelRequested = false
  private(set) var values: [Value?] = []
  private(set) var decision: PromiseResult<[Value], Failure>?

  init(limit: Int, cursor: Cursor) {
    self.limit = limit
    self.cursor = cursor
  }

  private var isDone: Bool { inFlight == 0 && (hasEnded || decision != nil) }

  /// Returns whether the caller must schedule a turn. If so, records that a turn is scheduled.
  mutating func reserveTurn() -> Bool {
    guard cursor != nil, !hasTurn, inFlight < limit else { return false }
    hasTurn = true
    return true
  }

  /// Begins the scheduled turn. Returns `nil` if the turn has nothing to do.
  mutating func beginTurn() -> Cursor? {
    defer { cursor = nil }
    return cursor
  }

  /// Admits the input that the turn has found. Returns the number of the input, or `nil` if the input must not be
  /// started.
  mutating func admit() -> Int? {
    if decision == nil, isCancelRequested { hasEnded = true }
    if decision != nil || hasEnded { return nil }
    inFlight += 1
    values.append(nil)
    return values.count - 1
  }

  /// Records that the turn has found no further input.
  mutating func complete() {
    hasEnded = true
    isComplete = true
  }

  /// Returns whether the turn may continue with the next input. If the turn may not continue and there is no decision,
  /// stores the cursor again for the next turn.
  mutating func continuesTurn(_ current: Cursor, isBudgetSpent: Bool) -> Bool {
    if decision != nil { return false }
    if inFlight < limit, !isBudgetSpent { return true }
    cursor = current
    hasTurn = false
    return false
  }

  /// Whether the caller must resolve the promise after it has recorded the end of the inputs. The caller must do so if
  /// no promise is in flight and there is no decision.
  var isDoneWithInputs: Bool { decision == nil && isDone }

  /// Records the value of a promise that was fulfilled.
  mutating func finish(_ number: Int, with value: Value) -> Action {
    inFlight -= 1
    if decision == nil { values[number] = value }
    if isDone { return .conclude }
    return reserveTurn() ? .turn : .nothing
  }

  /// The result of `decide`: whether the decision is the first one, whether the promise can be resolved because no
  /// promise is in flight, and the objects that are no longer needed. The caller releases these objects outside the
  /// lock.
  struct Leftovers {
    var isFirst = false
    var isDone = false
    var cursor: Cursor?
    var values: [Value?] = []
  }

  /// Records a decision. After a decision, no further promise is started. Only the first decision counts.
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

  /// Records a request to cancel. After the request, no further promise is started. If no promise is in flight and no
  /// turn runs, returns the cursor, and the caller releases it.
  ///
  /// If promises are in flight, these promises decide the result. When such a promise is fulfilled, a turn reads one
  /// more input, to find out whether the inputs have ended.
  mutating func requestCancel() -> Cursor? {
    isCancelRequested = true
    guard inFlight == 0 else { return nil }
    defer { cursor = nil }
    if cursor != nil { hasEnded = true }
    return cursor
  }

  /// Takes the result out of this state. The caller calls this function when all promises that were started have
  /// finished.
  mutating func takeResult() -> (decision: PromiseResult<[Value], Failure>?, values: [Value?], isComplete: Bool) {
    defer { values = [] }
    return (decision, values, isComplete)
  }
}
