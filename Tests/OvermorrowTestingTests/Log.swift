import Dispatch

/// What has happened, from any thread.
final class Log<Entry: Sendable>: @unchecked Sendable {
  // Sendable: the array is only touched on the queue.
  private let queue = DispatchQueue(label: "log")
  private var list: [Entry] = []

  var entries: [Entry] { queue.sync { list } }

  func append(_ entry: Entry) { queue.sync { list.append(entry) } }
}
