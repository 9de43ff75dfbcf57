/// An operation on a core. Because operations depend on types, the typed layer performs them for the engine.
@usableFromInline
enum Operation: Sendable {
  /// Run the callback with the source's result.
  case run
  /// Drop the callback and forward the source's result, as far as the types allow.
  case forward
  /// Forward the source's result, in a step whose callback was moved out before.
  case forwardWithoutCallback
  /// Move the callback out, and answer with a `DroppedCallback` that contains the callback.
  case takeOut
  /// Copy the source's result, which has the same types.
  case adopt
  /// Destroy the value.
  case destroyValue
  /// Destroy the error.
  case destroyError
  /// Answer with a copy of the error: an `ErrorCopy`.
  case copyError
  /// Answer with the core's note: a `CoreNote`. Only a core with a note performs this operation.
  case findNote
  /// Prepare for the end of the core and its operations. Only a core with a note performs this operation.
  case willEnd
}

/// The answer to an operation that asks for an object.
@usableFromInline
class Answer: @unchecked Sendable {
  // Sendable: an answer has one owner at a time, or its class says why it is Sendable.
}

/// The result of an operation.
@usableFromInline
enum OperationResult {
  /// The result is of this kind. A value or an error is in the payload.
  case value, error, cancelled
  /// The callback has returned a promise to adopt. The payload contains its `PromiseHandle`.
  case promise
  /// The object that the operation asks for.
  case answer(Answer)
}

@usableFromInline
typealias Operations = @Sendable (_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult
