/// Where errands go, beside a queue.
extension Errand {
  /// Hands the errand to a global queue: see ``Lane/globals``.
  func enqueue(onGlobal number: Int) {
    Lane.globals[number].enqueue(self)
    ReliefThreads.workHasCome()
  }

  /// Hands the errand to the main queue, or to a wait that blocks it: see ``MainTurns``.
  func enqueueAsMainTurn() { MainTurns.enqueue(self) }

  /// Hands the errand to an actor. The caller keeps the actor until this returns.
  func enqueue(on actor: any Actor) { Mailboxes.enqueue(self, on: actor) }
}
