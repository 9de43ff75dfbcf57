@testable import Overmorrow
@testable import OvermorrowEngine

// There are two seats. The first and the third thread have the same one.
extension Program {
  static let reading: [Program] = [
    Program("two readers with seats, and a writer") { run in
      let content = Content(isOpen: true)
      run.race({ content.read() }, { content.read() }, { content.change() })
      content.expectAtEnd(of: run, changes: 1, readings: 2)
    },
    Program("two readers with the same seat, and a writer") { run in
      let content = Content(isOpen: true)
      run.race({ content.read() }, { content.change() }, { content.read() })
      content.expectAtEnd(of: run, changes: 1, readings: 2)
    },
    Program("a reader with a seat, and two writers") { run in
      let content = Content(isOpen: true)
      run.race({ content.change() }, { content.read() }, { content.change() })
      content.expectAtEnd(of: run, changes: 2, readings: 1)
    },
    Program("a reader that reads twice, and a writer that changes an open lock") { run in
      let content = Content(isOpen: true)
      run.thread { for _ in 0..<2 { content.read() } }
      run.thread { content.change() }
      content.expectAtEnd(of: run, changes: 1, readings: 2)
    },
    Program("two readers have an open lock at the same time") { run in
      let content = Content(isOpen: true)
      let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      for (own, other) in [(first, second), (second, first)] {
        run.thread {
          content.read {
            own.signal()
            other.wait()
          }
        }
      }
      content.expectAtEnd(of: run, changes: 0, readings: 2)
    },
    Program("a lock is opened while a thread reads and another one writes") { run in
      let content = Content()
      run.race({ content.open() }, { content.read() }, { content.change() })
      content.expectAtEnd(of: run, changes: 1, readings: 1)
    },
    Program("a lock is closed and opened again while a thread reads") { run in
      let content = Content()
      run.thread {
        content.open()
        content.change()
        content.open()
      }
      run.thread { content.read() }
      content.expectAtEnd(of: run, changes: 1, readings: 1)
    },
    Program("two threads open a lock, and one of them reads") { run in
      let content = Content()
      run.thread { content.open() }
      run.thread {
        content.open()
        content.read()
      }
      content.expectAtEnd(of: run, changes: 0, readings: 1)
    },
    Program("readers that meet open a lock", outcomes: ["closed", "open"]) { run in
      let content = Content()
      for _ in 0...1 { run.thread { for _ in 0...1 { content.read() } } }
      content.expectAtEnd(of: run, changes: 0, readings: 4)
      run.atEnd { run.outcome(content.isOpen ? "open" : "closed") }
    },
    Program("readers that meet open a lock while a thread writes") { run in
      let content = Content()
      run.race({ content.read() }, { content.change() }, { for _ in 0...1 { content.read() } })
      content.expectAtEnd(of: run, changes: 1, readings: 3)
    },
    Program("the readings of two threads are counted while they read") { run in
      let content = Content(isOpen: true)
      run.race({ content.read() }, { content.read() }, { run.expect(0...2 ~= content.count, "a wrong count") })
      content.expectAtEnd(of: run, changes: 0, readings: 2)
    },
  ]
}

/// A value that several threads read. If a thread reads it during a change, one of them does not know the other, which
/// the explorer finds.
private final class Content: @unchecked Sendable {
  private struct Value: ~Copyable, @unchecked Sendable {
    let field = Scheduler.shared.makeField("value")
    var changes = 0
  }

  private let content = ReadMostly(Value(), isShared: true)
  /// A field for each count of the lock, by its address.
  private var counts: [UnsafeMutablePointer<Int>: PlainField] = [:]

  init(isOpen: Bool = false) { if isOpen { open() } }

  deinit {
    content.withLock { $0.field.isEnded = true }
    for field in counts.values { field.isEnded = true }
  }

  var count: Int { content.count }
  var isOpen: Bool { content.isOpenForReaders }

  func open() { content.openForReaders() }

  func change() {
    content.withLock { value in
      Scheduler.shared.touch(value.field, .change)
      value.changes += 1
    }
  }

  /// Reads the value, and counts that.
  func read(_ body: () -> Void = {}) {
    content.read { value, count in
      Scheduler.shared.touch(value.field, .read)
      Scheduler.shared.touch(withUnsafeMutablePointer(to: &count, field), .change)
      count += 1
      body()
    }
  }

  private func field(of count: UnsafeMutablePointer<Int>) -> PlainField {
    let field = counts[count] ?? Scheduler.shared.makeField("count")
    counts[count] = field
    return field
  }

  func expectAtEnd(of run: Run, changes: Int, readings: Int) {
    run.atEnd {
      let found = self.content.read { value, _ in value.changes }
      run.expect(found == changes, "\(found) changes are left, and not \(changes)")
      run.expect(self.count == readings, "\(self.count) readings are counted, and not \(readings)")
    }
  }
}
