/// Hands work over to actors, to each in the order in which it comes.
///
/// A task for each piece of work would be simpler, but tasks on their way to an actor may overtake each other. So the
/// work waits in a list, and one task takes it from there while there is any.
///
/// An actor has a mailbox as long as a task takes work out of it. The mailboxes are in shards by the address of the actor, each
/// with a lock of its own, so that actors do not wait for each other.
final class Mailboxes: Sendable {
  fileprivate struct Mailbox {
    var errands: [Errand] = []
    /// The tasks that take work from here, each of a higher priority than those before it.
    var tasks: [TaskPriority] = []
  }

  private static let shards = (0..<64).map { _ in Mailboxes() }
  private let waiting = Guarded<[ObjectIdentifier: Mailbox]>([:])

  /// Hands an errand over. The caller keeps the actor.
  static func enqueue(_ errand: Errand, on actor: any Actor) {
    let address = UInt(bitPattern: ObjectIdentifier(actor))
    shards[Int((address >> 4 ^ address >> 10) & 63)].enqueue(errand, on: actor)
  }

  private func enqueue(_ errand: Errand, on actor: any Actor) {
    let (id, priority) = (ObjectIdentifier(actor), Task.currentPriority)
    let isMoreUrgent = waiting.withLock { waiting in
      waiting[id, default: Mailbox()].add(errand, priority)
    }
    // A task of a higher priority comes to the actor sooner. It runs what came before, too: that is the order.
    // Detached: the callbacks of a promise have nothing to do with the task that happens to resolve it.
    if isMoreUrgent { Task.detached(priority: priority) { await self.run(on: actor, with: priority) } }
  }

  /// Runs what waits. What is taken is run before another task can take more: both need the actor.
  private func run(on actor: isolated any Actor, with priority: TaskPriority) async {
    while let batch = take(for: actor, with: priority) {
      for errand in batch { errand.run() }
      // What else waits for the actor gets its turn.
      await Task.yield()
    }
  }

  private func take(for actor: any Actor, with priority: TaskPriority) -> [Errand]? {
    let id = ObjectIdentifier(actor)
    return waiting.withLock { waiting in
      guard var mailbox = waiting.removeValue(forKey: id) else { return nil }
      let batch = mailbox.errands
      mailbox.errands = []
      if batch.isEmpty { mailbox.tasks.removeAll { $0 == priority } }
      if !mailbox.tasks.isEmpty { waiting[id] = mailbox }
      return batch.isEmpty ? nil : batch
    }
  }
}

extension Mailboxes.Mailbox {
  /// - Returns: Whether a task of this priority is needed.
  fileprivate mutating func add(_ errand: Errand, _ priority: TaskPriority) -> Bool {
    errands.append(errand)
    if let last = tasks.last, last >= priority { return false }
    tasks.append(priority)
    return true
  }
}
