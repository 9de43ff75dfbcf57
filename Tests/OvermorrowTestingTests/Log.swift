import Dispatch

/// What has happened, from any thread.
final class Log<Entry: Sendable>: @unchecked Sendable {
  // Sendable: the array is only touched on the queue.
  private let queue = DispatchQueue(label: "log")
  private var list: [Entry] = []

  var entries: [Entry] { queue.sync { list } }

  func removeAll() {
    // Released outside of the queue, as it may come back here.
    let removed = queue.sync { () -> [Entry] in
      defer { list = [] }
      return list
    }
    withExtendedLifetime(removed) {}
  }

  func append(_ entry: Entry) { queue.sync { list.append(entry) } }
}
