/// One shard of the list of all notes. The notes of a shard are in the order in which they were added.
private final class Shard: Sendable {
  static let all = (0..<8).map { _ in Shard() }

  let ends = Guarded<(first: CoreNote?, last: CoreNote?)>((nil, nil))
}

private let lastNumber = Atomic<UInt>(0)

/// The list of all notes. With this list, the diagnostics find the pending promises of the program.
///
/// A note is added before another thread can see its core, and removed before the memory of the core is freed. So the
/// memory of a core with a note is not freed while all locks are taken. The list is in shards, so that threads that
/// make promises seldom contend.
extension CoreNote {
  /// Returns the number of a new note. The first number is 1.
  package static func nextNumber() -> UInt { lastNumber.add(1, ordering: .relaxed).newValue }

  /// The address of the link to the first note of each shard.
  static var heads: [UInt] { Shard.all.map { $0.ends.withLock { address(of: &$0.first) } } }

  /// Returns the address of a value in its object. The value is only located.
  static func address<Value>(of value: inout Value) -> UInt {
    unsafe withUnsafeMutablePointer(to: &value) { UInt(bitPattern: $0) }
  }

  private final var shard: Shard { Shard.all[Int(number % UInt(Shard.all.count))] }

  package final func addToList() {
    shard.ends.withLock { ends in
      previous = ends.last
      ends.last?.next = self
      if ends.first == nil { ends.first = self }
      ends.last = self
    }
  }

  /// Removes the note from the list. The core still retains the note, so this removal does not destroy the note under
  /// the lock.
  final func removeFromList() {
    shard.ends.withLock { ends in
      if let previous { previous.next = next } else { ends.first = next }
      if let next { next.previous = previous } else { ends.last = previous }
      (previous, next) = (nil, nil)
    }
  }

  /// Visits all notes while all locks are held. In each shard, the oldest note comes first.
  ///
  /// - Parameter visit: A closure that is called for each note. It must not make or end a promise.
  package static func visitAll(from index: Int = 0, _ visit: (_ note: CoreNote, _ shard: Int) -> Void) {
    guard index < Shard.all.count else { return }
    Shard.all[index].ends.withLock { ends in
      visitAll(from: index + 1, visit)
      var next = ends.first
      while let note = next {
        visit(note, index)
        next = note.next
      }
    }
  }
}
