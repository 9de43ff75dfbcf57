/// Hands work over to an actor, in the order in which it comes.
///
/// A task for each piece of work would be simpler, but tasks on their way to an actor may overtake each other. So the
/// work waits in a list, and one task takes it from there while there is any.
final class ActorExecutor: PromiseExecutor {
  private let actor: any Actor

  init(_ actor: any Actor) { self.actor = actor }

  func enqueue(_ work: @escaping @Sendable () -> Void) { Mailboxes.shared.enqueue(work, on: actor) }

  /// The work that waits for actors. An actor has an entry as long as a task takes work out of it.
  private final class Mailboxes: Sendable {
    static let shared = Mailboxes()

    private let waiting = Guarded<[ObjectIdentifier: [@Sendable () -> Void]]>([:])

    func enqueue(_ work: @escaping @Sendable () -> Void, on actor: any Actor) {
      let id = ObjectIdentifier(actor)
      let isFirst = waiting.withLock { waiting in
        defer { waiting[id, default: []].append(work) }
        return waiting[id] == nil
      }
      // Detached: the callbacks of a promise have nothing to do with the task that happens to resolve it.
      if isFirst { Task.detached(priority: Task.currentPriority) { await self.run(on: actor) } }
    }

    private func run(on actor: isolated any Actor) async {
      while let batch = take(for: actor) {
        for work in batch { work() }
        // What else waits for the actor gets its turn.
        await Task.yield()
      }
    }

    private func take(for actor: any Actor) -> [@Sendable () -> Void]? {
      waiting.withLock { waiting in
        let id = ObjectIdentifier(actor)
        guard let batch = waiting[id], !batch.isEmpty else {
          waiting[id] = nil
          return nil
        }
        waiting[id] = []
        return batch
      }
    }
  }
}

extension Actor {
  /// Calls a closure on this actor, where the caller is by now.
  @inlinable
  nonisolated func callHere<Output: Sendable, E: Error>(
    _ body: @Sendable (isolated Self) throws(E) -> Output
  ) throws(E) -> Output {
    try assumeIsolated { actor in Result { () throws(E) in try body(actor) } }.get()
  }
}
