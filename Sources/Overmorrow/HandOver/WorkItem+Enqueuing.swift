/// Hands items to lanes and actors.
extension WorkItem {
  /// Hands the item to a global queue: see ``Lane/globals``.
  func enqueue(onGlobal number: Int) {
    Lane.globals[number].enqueue(self)
    SpareThreads.workWasEnqueued()
  }

  /// Hands the item to the main queue, or to a wait that blocks it: see ``MainTurns``.
  func enqueueAsMainTurn() { MainTurns.enqueue(self) }

  /// Hands the item to an actor. The caller keeps the actor until this returns.
  func enqueue(on actor: any Actor) { Mailboxes.enqueue(self, on: actor) }
}
