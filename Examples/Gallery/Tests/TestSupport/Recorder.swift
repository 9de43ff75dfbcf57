import Synchronization

/// Keeps what it is told, from any thread, in order.
package final class Recorder<Element: Sendable>: Sendable {
  private let recorded = Mutex<[Element]>([])

  package init() {}

  package var elements: [Element] { recorded.withLock { $0 } }

  package func record(_ element: Element) {
    recorded.withLock { $0.append(element) }
  }
}
