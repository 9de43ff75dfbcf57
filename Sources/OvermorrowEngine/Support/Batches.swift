/// Items that wait for objects. Each object gets its items in batches, in the order of arrival.
///
/// An object has an entry from the first ``append(_:for:)`` until a ``take(for:)`` finds no item. The caller of that
/// first `append` makes one thread or task take the batches.
package final class Batches<Item: Sendable>: Sendable {
  private let waiting = Guarded<[ObjectIdentifier: [Item]]>([:])

  package init() {}

  /// Adds an item. Returns whether the object had no entry, so that the caller makes the batches be taken.
  package func append(_ item: Item, for object: ObjectIdentifier) -> Bool {
    waiting.withLock { waiting in
      defer { waiting[object, default: []].append(item) }
      return waiting[object] == nil
    }
  }

  /// Takes the items that wait for an object. If there are none, removes the entry of the object, and returns `nil`.
  package func take(for object: ObjectIdentifier) -> [Item]? {
    waiting.withLock { waiting in
      guard let batch = waiting[object], !batch.isEmpty else {
        waiting[object] = nil
        return nil
      }
      waiting[object] = []
      return batch
    }
  }
}
