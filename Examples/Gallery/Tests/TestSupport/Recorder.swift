import Synchronization

/// A log that any thread may append to.
package final class Recorder<Element: Sendable>: Sendable {
  private let recorded = Mutex<[Element]>([])

  package init() {}

  package var elements: [Element] { recorded.withLock { $0 } }

  package func record(_ element: Element) {
    recorded.withLock { $0.append(element) }
  }
}
