/// Hands work over to an actor, in the order in which it comes.
///
/// A task for each piece of work would be simpler, but tasks on their way to an actor may overtake each other. So the
/// work waits in a list, and one task takes it from there while there is any.
final class ActorExecutor: PromiseExecutor {
  private let actor: any Actor

  init(_ actor: any Actor) { self.actor = actor }

  func enqueue(_ work: @escaping @Sendable () -> Void) { Mailboxes.shared.enqueue(work, on: actor) }

  /// What waits for one actor.
  private struct Mailbox: Sendable {
    var work: [@Sendable () -> Void] = []
    /// The tasks that take it from here, each of a higher priority than those before it.
    var tasks: [TaskPriority] = []
  }

  /// The work that waits for actors. An actor has an entry as long as a task takes work out of it.
  private final class Mailboxes: Sendable {
    static let shared = Mailboxes()

    private let waiting = Guarded<[ObjectIdentifier: Mailbox]>([:])

    func enqueue(_ work: @escaping @Sendable () -> Void, on actor: any Actor) {
      let (id, priority) = (ObjectIdentifier(actor), Task.currentPriority)
      let isMoreUrgent = waiting.withLock { waiting in
        waiting[id, default: Mailbox()].work.append(work)
        guard waiting[id]?.tasks.last.map({ $0 < priority }) ?? true else { return false }
        waiting[id]?.tasks.append(priority)
        return true
      }
      // A task of a higher priority comes to the actor sooner. It runs what came before, too: that is the order.
      // Detached: the callbacks of a promise have nothing to do with the task that happens to resolve it.
      if isMoreUrgent { Task.detached(priority: priority) { await self.run(on: actor, with: priority) } }
    }

    /// Runs what waits. What is taken is run before another task can take more: both need the actor.
    private func run(on actor: isolated any Actor, with priority: TaskPriority) async {
      while let batch = take(for: actor, with: priority) {
        for work in batch { work() }
        // What else waits for the actor gets its turn.
        await Task.yield()
      }
    }

    private func take(for actor: any Actor, with priority: TaskPriority) -> [@Sendable () -> Void]? {
      waiting.withLock { waiting in
        let id = ObjectIdentifier(actor)
        guard var mailbox = waiting.removeValue(forKey: id) else { return nil }
        let batch = mailbox.work
        mailbox.work = []
        if batch.isEmpty { mailbox.tasks.removeAll { $0 == priority } }
        if !mailbox.tasks.isEmpty { waiting[id] = mailbox }
        return batch.isEmpty ? nil : batch
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
