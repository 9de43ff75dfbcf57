/// The items that were submitted to actors. Each actor runs its items in the order of arrival.
///
/// A task for each item would be simpler, but tasks on their way to an actor may overtake each other. So the items of
/// an actor wait in a list, and one task runs the items until the list is empty.
///
/// The lists are distributed over shards by the addresses of the actors. Each shard has its own lock, so that
/// submissions to different actors seldom contend.
final class Mailboxes: Sendable {
  private static let shards = (0..<64).map { _ in Mailboxes() }
  /// The waiting items of each actor. An actor has an entry as long as a task runs its items.
  private let waiting = Guarded<[ObjectIdentifier: [WorkItem]]>([:])

  /// Submits an item to an actor. The caller retains the actor during this call.
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
    // The task is detached, because the callbacks of a promise do not belong to the task that resolves the promise.
    if isFirst { Task.detached(priority: Task.currentPriority) { await self.run(on: actor) } }
  }

  /// Runs the waiting items in batches. The task leaves the actor only between two batches.
  private func run(on actor: isolated any Actor) async {
    while let batch = take(for: ObjectIdentifier(actor)) {
      for item in batch { item.run() }
      // Lets other work of the actor run.
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
