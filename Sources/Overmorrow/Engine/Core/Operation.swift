/// What the engine asks of the typed layer.
@usableFromInline
enum Operation: Sendable {
  /// Run the callback with the source's result.
  case run
  /// Drop the callback and pass the source's result on, as far as the types allow.
  case pass
  /// The same for a step whose callback has been moved out.
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
  /// Answer with the note that the core has: a `CoreNote`. Nobody asks this of a core without one.
  case findNote
  /// The core ends, and its operations after this. Told to a core with a note only.
  case end
}

/// What an operation answers that has been asked for something.
@usableFromInline
class Answer: @unchecked Sendable {
  // Sendable: each is on its way from one owner to the next, or says why itself.
}

/// What became of an operation.
@usableFromInline
enum OperationResult {
  /// The payload holds the result, of this kind.
  case value, error, cancelled
  /// The payload holds the promise that the callback returned, to be adopted: a `PromiseHandle`.
  case promise
  /// What has been asked for.
  case answer(Answer)
}

@usableFromInline
typealias Operations = @Sendable (_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult
