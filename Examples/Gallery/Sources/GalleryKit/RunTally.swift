/// The progress of a run in numbers.
package struct RunTally: Encodable, Sendable {
  package private(set) var total = 0
  package private(set) var started = 0
  package private(set) var retried = 0
  package private(set) var failed = 0
  package private(set) var finished = 0

  package init() {}

  /// Counts an event.
  package mutating func note(_ event: GalleryEvent) {
    switch event {
    case .listed(let count):
      total = count
    case .started:
      started += 1
    case .retrying(_, let attempts, _):
      retried += attempts == 1 ? 1 : 0
    case .finished(let outcome):
      finished += 1
      failed += outcome.failure == nil ? 0 : 1
    }
  }
}
