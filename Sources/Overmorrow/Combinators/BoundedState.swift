internal import OvermorrowDiagnostics

/// The state of a bounded `when(fulfilled:)`: the promises in flight, and the turn that may start more promises.
///
/// A *turn* reads further inputs. There is at most one turn at a time. `BoundedGathering` makes each transition in one
/// critical section, and then performs the action that the transition has returned.
struct BoundedState<Value: Sendable, Failure: Sendable> {
  typealias Cursor = InputCursor<Value, Failure>

  private enum Phase {
    /// No turn is scheduled. The cursor is the position in the inputs.
    case waiting(Cursor)
    /// A turn is scheduled, and will continue at the cursor.
    case scheduled(Cursor)
    /// A turn runs, and has the cursor.
    case reading
    /// No further promise will be started. Either every input was started (`isComplete`), or cancellation was
    /// requested.
    case ended(isComplete: Bool)
    /// The result is decided before the promises in flight have finished. No further promise will be started. The
    /// failure is that of the promise that has decided, if it is known.
    case decided(PromiseResult<[Value], Failure>, RecordedFailure?)
  }

  /// What to do after a promise has finished.
  enum Action {
    case nothing
    case turn
    /// Resolve the promise, because all promises that were started have finished.
    case conclude
  }

  private let limit: Int
  private var phase: Phase
  private(set) var inFlight = 0
  private var isCancelRequested = false
  /// A place for the value of each promise that was started. Empty after a decision.
  private var values: [Value?] = []

  init(limit: Int, cursor: Cursor) {
    self.limit = limit
    phase = .waiting(cursor)
  }

  var isDecided: Bool { if case .decided = phase { true } else { false } }

  /// Returns whether the caller must schedule a turn. If so, records that a turn is scheduled.
  mutating func reserveTurn() -> Bool {
    guard case .waiting(let cursor) = phase, inFlight < limit else { return false }
    phase = .scheduled(cursor)
    return true
  }

  /// Begins the scheduled turn. Returns `nil` if the turn has nothing to do.
  mutating func beginTurn() -> Cursor? {
    switch phase {
    case .scheduled(let cursor):
      phase = .reading
      return cursor
    case .ended, .decided: return nil
    case .waiting, .reading: preconditionFailure("a turn has begun that was not scheduled")
    }
  }

  /// Admits the input that the turn has found. Returns the number of the input, or `nil` if the input must not be
  /// started.
  mutating func admit() -> Int? {
    guard isReading() else { return nil }
    if isCancelRequested {
      phase = .ended(isComplete: false)
      return nil
    }
    inFlight += 1
    values.append(nil)
    return values.count - 1
  }

  /// Records that the turn has found no further input.
  mutating func complete() { if isReading() { phase = .ended(isComplete: true) } }

  /// Returns whether the turn may continue with the next input. If the turn may not continue and there is no decision,
  /// stores the cursor again for the next turn.
  mutating func continuesTurn(_ current: Cursor, isBudgetSpent: Bool) -> Bool {
    guard isReading() else { return false }
    if inFlight < limit, !isBudgetSpent { return true }
    phase = .waiting(current)
    return false
  }

  /// Returns `true` for a running turn, or `false` if there is a decision.
  private func isReading() -> Bool {
    switch phase {
    case .reading: true
    case .decided: false
    case .waiting, .scheduled, .ended: preconditionFailure("only a running turn reads inputs")
    }
  }

  /// Whether nothing happens before one of the promises in flight has finished.
  var waitsForInputs: Bool {
    switch phase {
    case .waiting: inFlight == limit
    case .scheduled, .reading: false
    case .ended, .decided: true
    }
  }

  /// Whether the caller must resolve the promise after it has recorded the end of the inputs. The caller must do so if
  /// no promise is in flight and there is no decision.
  var isDoneWithInputs: Bool { if case .ended = phase { inFlight == 0 } else { false } }

  /// Records the value of a promise that was fulfilled.
  mutating func finish(_ number: Int, with value: Value) -> Action {
    inFlight -= 1
    if !isDecided { values[number] = value }
    return switch phase {
    case .waiting, .scheduled, .reading: reserveTurn() ? .turn : .nothing
    case .ended, .decided: inFlight == 0 ? .conclude : .nothing
    }
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
  ///
  /// - Parameter failure: The failure of the promise that decides; `nil` if it is not known or not needed.
  mutating func decide(
    _ result: PromiseResult<[Value], Failure>, _ failure: RecordedFailure?, finishing: Bool
  ) -> Leftovers {
    if finishing { inFlight -= 1 }
    if isDecided { return Leftovers(isDone: inFlight == 0) }
    defer { (phase, values) = (.decided(result, failure), []) }
    return Leftovers(isFirst: true, isDone: inFlight == 0, cursor: storedCursor, values: values)
  }

  /// The cursor, unless a turn has it or it is no longer needed.
  private var storedCursor: Cursor? {
    switch phase {
    case .waiting(let cursor), .scheduled(let cursor): cursor
    case .reading, .ended, .decided: nil
    }
  }

  /// Records a request to cancel. After the request, no further promise is started. If no promise is in flight and no
  /// turn runs, returns the cursor, and the caller releases it.
  ///
  /// If promises are in flight, these promises decide the result. When such a promise is fulfilled, a turn reads one
  /// more input, to find out whether the inputs have ended.
  mutating func requestCancel() -> Cursor? {
    isCancelRequested = true
    guard inFlight == 0, let cursor = storedCursor else { return nil }
    phase = .ended(isComplete: false)
    return cursor
  }

  /// Takes the result out of this state. The caller calls this function when all promises that were started have
  /// finished. Without a decision, the result is the values.
  mutating func takeResult() -> (
    decision: PromiseResult<[Value], Failure>?, failure: RecordedFailure?, values: [Value?]
  ) {
    defer { values = [] }
    return switch phase {
    case .decided(let result, let failure): (result, failure, [])
    case .ended(isComplete: true): (nil, nil, values)
    case .ended(isComplete: false): (.cancelled, nil, values)
    case .waiting, .scheduled, .reading: preconditionFailure("a result was taken before the inputs had ended")
    }
  }
}
