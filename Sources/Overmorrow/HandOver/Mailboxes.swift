/// Hands work over to actors, to each in the order in which it comes.
///
/// A task for each piece of work would be simpler, but tasks on their way to an actor may overtake each other. So the
/// work waits in a list, and one task takes it from there while there is any.
///
/// The lists are in shards by the address of the actor, each with a lock of its own, so that actors do not wait for each other.
final class Mailboxes: Sendable {
  private static let shards = (0..<64).map { _ in Mailboxes() }
  /// What waits for an actor; it has an entry as long as a task takes work out of that.
  private let waiting = Guarded<[ObjectIdentifier: [WorkItem]]>([:])

  /// Hands an item over. The caller keeps the actor.
  static func enqueue(_ item: WorkItem, on actor: any Actor) {
    let address = UInt(bitPattern: ObjectIdentifier(actor))
    shards[Int((address >> 4 ^ address >> 10) & 63)].enqueue(item, on: actor)
  }

  private func enqueue(_ item: WorkItem, on actor: any Actor) {
    let id = ObjectIdentifier(actor)
    let isFirst = waiting.withLock { waiting in
      defer { waiting[id, default: []].append(item) }
      return waiting[id] == nil
    }
    // Detached: the callbacks of a promise have nothing to do with the task that happens to resolve it.
    if isFirst { Task.detached(priority: Task.currentPriority) { await self.run(on: actor) } }
  }

  /// Runs what waits. What is taken is run before the next is: the actor is left in between only.
  private func run(on actor: isolated any Actor) async {
    while let batch = take(for: ObjectIdentifier(actor)) {
      for item in batch { item.run() }
      // What else waits for the actor gets its turn.
      await Task.yield()
    }
  }

  private func take(for id: ObjectIdentifier) -> [WorkItem]? {
    waiting.withLock { waiting in
      guard let batch = waiting[id], !batch.isEmpty else {
        waiting[id] = nil
        return nil
      }
      waiting[id] = []
      return batch
    }
  }
}
