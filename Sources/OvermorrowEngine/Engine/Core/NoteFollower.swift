/// The code above the engine that follows the promises that have notes.
package protocol NoteFollower: AnyObject, Sendable {
  /// Performs an operation on the core: calls `CoreNote.perform` at the end.
  func perform(_ operation: CoreOperation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult

  /// Handles a new step of the core. The step is about to be registered, or was served at once. It is not shared yet.
  ///
  /// - Parameter isHidden: Whether the way of an error leaves out the step, because it is an inner step of the library.
  func noteChild(_ step: CoreRef, isHidden: Bool)

  /// Handles the adoption of the core by another one. The other core does not wait for this core yet.
  func noteAdopted(by core: CoreRef)

  /// Handles the wait of an adopter for the core. The adopter was linked to the core before.
  func noteAdopter(_ core: CoreRef)

  func noteRead()

  /// Runs user code of the promise.
  func run(_ body: () -> Void)

  /// Handles the claim of a resolver for a result. The claim for the adoption of a promise does not call this function.
  func noteClaimed(for outcome: Outcome)

  /// Handles the beginning of a wait for an input, or for the internal step that reports the input's result.
  func noteInput(_ input: CoreRef)

  /// Records that the core is an internal step of the library.
  func noteInternal()

  func noteMistake(_ mistake: Mistake)

  func noteEnd()
}
