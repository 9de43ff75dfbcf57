@testable import Overmorrow

/// Two or three words that threads read and write.
private final class Words: @unchecked Sendable {
  let x = Atomic(0)
  let y = Atomic(0)
  var r = [0, 0, 0, 0]
}

/// Examples whose outcomes are known, to see that the explorer finds all of them and no others.
extension Program {
  static let litmus: [Program] = [
    storeBuffering("store buffering, released and acquired", .releasing, .acquiring, ["00", "01", "10", "11"]),
    storeBuffering(
      "store buffering in total order", .sequentiallyConsistent, .sequentiallyConsistent, ["01", "10", "11"]),
    storeBuffering(
      "store buffering, with stores in total order", .sequentiallyConsistent, .acquiring, ["00", "01", "10", "11"]),
    messagePassing("message passing", .releasing, .acquiring, ["0-", "11"]),
    messagePassing("message passing, not released", .relaxed, .acquiring, ["0-", "10", "11"]),
    messagePassing("message passing, not acquired", .releasing, .relaxed, ["0-", "10", "11"]),
    Program("coherence of two reads", outcomes: ["00", "01", "02", "11", "12", "22"]) { run in
      let words = Words()
      run.thread {
        words.x.store(1, ordering: .relaxed)
        words.x.store(2, ordering: .relaxed)
      }
      run.thread {
        words.r[0] = words.x.load(ordering: .relaxed)
        words.r[1] = words.x.load(ordering: .relaxed)
      }
      run.atEnd { run.outcome("\(words.r[0])\(words.r[1])") }
    },
    Program("a release sequence", outcomes: ["not both", "1"]) { run in
      let words = Words()
      run.thread {
        words.x.store(1, ordering: .relaxed)
        words.y.store(1, ordering: .releasing)
      }
      run.thread { words.y.add(1, ordering: .relaxed) }
      run.thread {
        words.r[0] = words.y.load(ordering: .acquiring)
        words.r[1] = words.x.load(ordering: .relaxed)
      }
      run.atEnd { run.outcome(words.r[0] == 2 && words.r[1] != 0 ? "1" : words.r[0] < 2 ? "not both" : "0") }
    },
    Program("write to read causality", outcomes: ["00", "10", "01", "11x"]) { run in
      let words = Words()
      run.thread { words.x.store(1, ordering: .relaxed) }
      run.thread {
        words.r[0] = words.x.load(ordering: .relaxed)
        words.y.store(1, ordering: .releasing)
      }
      run.thread {
        words.r[1] = words.y.load(ordering: .acquiring)
        words.r[2] = words.x.load(ordering: .relaxed)
      }
      // If both have seen what came before, the third thread has to see the first store.
      run.atEnd {
        run.outcome("\(words.r[0])\(words.r[1])" + (words.r[0] + words.r[1] == 2 && words.r[2] == 1 ? "x" : ""))
      }
    },
    Program("two changes of a word", outcomes: ["01", "10"]) { run in
      let words = Words()
      for index in 0..<2 {
        run.thread { words.r[index] = words.x.add(1, ordering: .relaxed).oldValue }
      }
      run.atEnd { run.outcome("\(words.r[0])\(words.r[1])") }
    },
    Program("a compare-exchange that fails sees an old value", outcomes: ["0", "1", "2"]) { run in
      let words = Words()
      run.thread {
        words.x.store(1, ordering: .relaxed)
        words.x.store(2, ordering: .relaxed)
      }
      run.thread {
        words.r[0] =
          words.x.compareExchange(
            expected: 7, desired: 8, successOrdering: .relaxed, failureOrdering: .relaxed
          ).original
      }
      run.atEnd { run.outcome("\(words.r[0])") }
    },
    Program("a lock", outcomes: ["01", "10"]) { run in
      let words = Words()
      let queue = WorkQueue()
      for index in 0..<2 {
        run.thread {
          queue.locked {
            words.r[index] = words.r[2]
            words.r[2] += 1
          }
        }
      }
      run.atEnd { run.outcome("\(words.r[0])\(words.r[1])") }
    },
    Program("two locks in different orders", known: "nobody can go on") { run in
      let (one, two) = (WorkQueue(), WorkQueue())
      run.thread { one.locked { two.locked {} } }
      run.thread { two.locked { one.locked {} } }
    },
    Program("a field that is not handed over", known: "field was changed") { run in
      let words = Words()
      let field = PlainField("field")
      Scheduler.shared.adopt(field)
      run.thread {
        Scheduler.shared.touch(field, .change)
        words.x.store(1, ordering: .relaxed)
      }
      run.thread {
        if words.x.load(ordering: .acquiring) == 1 { Scheduler.shared.touch(field, .read) }
      }
    },
  ]

  private static func storeBuffering(
    _ name: String, _ stores: Access.Order, _ loads: Access.Order, _ outcomes: Set<String>
  ) -> Program {
    Program(name, outcomes: outcomes) { run in
      let words = Words()
      run.thread {
        words.x.store(1, ordering: stores)
        words.r[0] = words.y.load(ordering: loads)
      }
      run.thread {
        words.y.store(1, ordering: stores)
        words.r[1] = words.x.load(ordering: loads)
      }
      run.atEnd { run.outcome("\(words.r[0])\(words.r[1])") }
    }
  }

  private static func messagePassing(
    _ name: String, _ store: Access.Order, _ load: Access.Order, _ outcomes: Set<String>
  ) -> Program {
    Program(name, outcomes: outcomes) { run in
      let words = Words()
      run.thread {
        words.x.store(1, ordering: .relaxed)
        words.y.store(1, ordering: store)
      }
      run.thread {
        words.r[0] = words.y.load(ordering: load)
        words.r[1] = words.x.load(ordering: .relaxed)
      }
      run.atEnd { run.outcome(words.r[0] == 0 ? "0-" : "1\(words.r[1])") }
    }
  }
}
