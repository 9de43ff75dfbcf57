/// An access to non-atomic memory.
package enum PlainUse: Sendable { case read, change }

/// A non-atomic field, as the explorer sees it.
package final class PlainField {
  package var name: StaticString
  package var core: Int?
  package var isEnded = false
  /// The thread that changed it last, the time of that change, and the time of each thread's last read. The explorer
  /// sets these.
  package var writer = 0
  package var written: Int32 = 0
  package var read = SIMD4<Int32>()

  init(_ name: StaticString) { self.name = name }
}

/// A stored property that only one thread may use at a time. The explorer checks that.
@safe
@usableFromInline
struct Watched<Value> {
  private let field: Unmanaged<PlainField>
  private var content: Value

  init(_ value: Value) {
    let made = PlainField("next")
    unsafe field = .passRetained(made)
    content = value
    CoreWatch.made.append(made)
    Explorer.current?.didMake(made)
  }

  @usableFromInline
  var value: Value {
    get {
      unsafe Explorer.current?.touch(field.takeUnretainedValue(), .read)
      return content
    }
    set {
      unsafe Explorer.current?.touch(field.takeUnretainedValue(), .change)
      content = newValue
    }
  }
}

/// The explorer's record of a core: its fields, which end together, and its number.
@safe
@usableFromInline
struct CoreWatch: ~Copyable {
  /// In the order of initialisation in `CoreState`.
  private static let names: [StaticString] = [
    "next", "following", "source", "traits", "operations",
  ]
  /// The fields that have been created since the last core.
  @safe nonisolated(unsafe) static var made: [PlainField] = []
  @safe nonisolated(unsafe) static var number = 0

  private let unmanagedPayload: Unmanaged<PlainField>
  private let fields: [PlainField]

  var payload: PlainField { unsafe unmanagedPayload.takeUnretainedValue() }

  init(
    state: borrowing Atomic<UInt>, link: borrowing Atomic<UInt>, votes: borrowing Atomic<UInt32>,
    count: borrowing Atomic<UInt32>, place: borrowing Atomic<UInt>
  ) {
    let payload = PlainField("payload")
    Explorer.current?.didMake(payload)
    unsafe unmanagedPayload = .passRetained(payload)
    CoreWatch.number += 1
    for (field, name) in zip(CoreWatch.made, CoreWatch.names) { field.name = name }
    fields = CoreWatch.made + [payload]
    CoreWatch.made = []
    for field in fields { field.core = CoreWatch.number }
    let words: [(Cell, StaticString)] = [
      (state.cell, "state"), (link.cell, "link"), (votes.cell, "votes"), (count.cell, "count"),
      (place.cell, "place"),
    ]
    for (cell, name) in words {
      cell.name = name
      cell.core = CoreWatch.number
    }
  }

  @usableFromInline
  func willReadPayload() { Explorer.current?.touch(payload, .read) }

  @usableFromInline
  func willChangePayload() { Explorer.current?.touch(payload, .change) }

  deinit {
    for field in fields {
      Explorer.current?.touch(field, .change)
      field.isEnded = true
    }
  }
}
