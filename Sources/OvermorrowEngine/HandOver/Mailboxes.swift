/// The items that were submitted to actors. Each actor runs its items in the order of arrival.
///
/// A task for each item would be simpler, but tasks on their way to an actor may overtake each other. So the items of
/// an actor wait in a list, and one task runs the items until the list is empty.
///
/// The lists are distributed over shards by the addresses of the actors. Each shard has its own lock, so that
/// submissions to different actors seldom contend.
enum Mailboxes {
  private static let shards = (0..<64).map { _ in Batches<WorkItem>() }

  /// Submits an item to an actor. The caller retains the actor during this call.
  static func enqueue(_ item: WorkItem, on actor: any Actor) {
    let id = ObjectIdentifier(actor)
    let address = UInt(bitPattern: id)
    let shard = shards[Int((address >> 4 ^ address >> 10) & 63)]
    guard shard.append(item, for: id) else { return }
    // The task is detached, because the callbacks of a promise do not belong to the task that resolves the promise.
    Task.detached(priority: Task.currentPriority) { await run(shard, on: actor) }
  }

  /// Runs the waiting items in batches. The task leaves the actor only between two batches.
  private static func run(_ shard: Batches<WorkItem>, on actor: isolated any Actor) async {
    while let batch = shard.take(for: ObjectIdentifier(actor)) {
      for item in batch { item.run() }
      // Lets other work of the actor run.
      await Task.yield()
    }
  }
}
