/// An operation on a core that depends on types. The typed layer performs it for the engine.
@usableFromInline
enum Operation: Sendable {
  /// Run the callback with the source's result.
  case run
  /// Drop the callback and pass the source's result on, as far as the types allow.
  case pass
  /// The same for a step whose callback was moved out.
  case passWithout
  /// Answer with the callback, moved out: a `DroppedCallback`.
  case takeOut
  /// Copy the source's result, which has the same types.
  case adopt
  /// Destroy the value.
  case destroyValue
  /// Destroy the error.
  case destroyError
  /// Answer with a copy of the error: an `ErrorCopy`.
  case copyError
  /// Answer with the core's note: a `CoreNote`. Asked only of a core with a note.
  case findNote
  /// Prepare for the end of the core and its operations. Asked only of a core with a note.
  case end
}

/// The answer of an operation that was asked for something.
@usableFromInline
class Answer: @unchecked Sendable {
  // Sendable: an answer has one owner at a time, or its class says why it is.
}

/// The result of an operation.
@usableFromInline
enum OperationResult {
  /// The payload holds the result, of this kind.
  case value, error, cancelled
  /// The payload holds the promise that the callback returned, to be adopted: a `PromiseHandle`.
  case promise
  /// The object that was asked for.
  case answer(Answer)
}

@usableFromInline
typealias Operations = @Sendable (_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult
