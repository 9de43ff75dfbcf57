/// The notes of all cores that have one, so that a program can be asked what is pending.
///
/// A note is added before another thread can see its core, and removed by the end of the core, before the memory of the core is freed. So as
/// long as all locks are taken, no core with a note ends.
///
/// There are several lists, each in the order in which its notes were made, so that threads which make promises seldom meet.
enum NoteList {
  private final class Shard: Sendable {
    let ends = Guarded<(first: CoreNote?, last: CoreNote?)>((nil, nil))
  }

  private static let shards = (0..<8).map { _ in Shard() }
  private static let last = Atomic<UInt>(0)

  /// The number of a new note, from 1 on.
  static func nextNumber() -> UInt { last.add(1, ordering: .relaxed).newValue }

  static func add(_ note: CoreNote) {
    shard(of: note).ends.withLock { ends in
      note.previous = ends.last
      ends.last?.next = note
      if ends.first == nil { ends.first = note }
      ends.last = note
    }
  }

  /// The core keeps the note meanwhile, so that it does not end under the lock.
  static func remove(_ note: CoreNote) {
    shard(of: note).ends.withLock { ends in
      let (previous, next) = (note.previous, note.next)
      if let previous { previous.next = next } else { ends.first = next }
      if let next { next.previous = previous } else { ends.last = previous }
      (note.previous, note.next) = (nil, nil)
    }
  }

  /// Goes through the lists, each from its oldest note on, with all locks taken.
  ///
  /// - Parameter look: Makes and ends no promise.
  static func lookAtAll(from index: Int = 0, _ look: (_ note: CoreNote, _ list: Int) -> Void) {
    guard index < shards.count else { return }
    shards[index].ends.withLock { ends in
      lookAtAll(from: index + 1, look)
      var next = ends.first
      while let note = next {
        look(note, index)
        next = note.next
      }
    }
  }

  private static func shard(of note: CoreNote) -> Shard { shards[Int(note.number % UInt(shards.count))] }
}
