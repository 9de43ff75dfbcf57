@testable import Overmorrow
@testable import OvermorrowEngine

/// An access of a thread to one of two words, which are initially zero.
private enum Use {
  case store(Int, Access.Order)
  case load(Access.Order)
  case increment(Access.Order)
  /// A compare-exchange that fails.
  case failingExchange(Access.Order)
}

private final class Word {
  enum Name: Int { case x, y }

  private let value = Atomic(0)

  /// - Returns: The value found; an empty string for a store.
  func perform(_ use: Use) -> String {
    switch use {
    case .store(let new, let order):
      value.store(new, ordering: order)
      return ""
    case .load(let order): return "\(value.load(ordering: order))"
    case .increment(let order): return "\(value.add(1, ordering: order).oldValue)"
    case .failingExchange(let order):
      let (_, found) = value.compareExchange(expected: 7, desired: 8, successOrdering: order, failureOrdering: order)
      return "\(found)"
    }
  }
}

/// Examples with known outcomes. They check that the explorer finds all of these outcomes and no others.
extension Program {
  static let litmus: [Program] = [
    storeBuffering("store buffering, released and acquired", .releasing, .acquiring, ["00", "01", "10", "11"]),
    storeBuffering(
      "store buffering in total order", .sequentiallyConsistent, .sequentiallyConsistent, ["01", "10", "11"]),
    storeBuffering(
      "store buffering, with stores in total order", .sequentiallyConsistent, .acquiring, ["00", "01", "10", "11"]),
    messagePassing("message passing", .releasing, .acquiring, ["00", "01", "11"]),
    messagePassing("message passing, not released", .relaxed, .acquiring, ["00", "01", "10", "11"]),
    messagePassing("message passing, not acquired", .releasing, .relaxed, ["00", "01", "10", "11"]),
    litmus(
      "coherence of two reads", ["00", "01", "02", "11", "12", "22"],
      [(.x, .store(1, .relaxed)), (.x, .store(2, .relaxed))], [(.x, .load(.relaxed)), (.x, .load(.relaxed))]),
    // If the third thread has seen the store to the second word, even through a later change, it must also see the
    // store to the first.
    litmus(
      "a release sequence", ["000", "001", "010", "011", "100", "101", "111", "121"],
      [(.x, .store(1, .relaxed)), (.y, .store(1, .releasing))], [(.y, .increment(.relaxed))],
      [(.y, .load(.acquiring)), (.x, .load(.relaxed))]),
    // If the second and the third thread have each seen the previous thread's store, the third thread must also see the
    // first store.
    litmus(
      "write to read causality", ["000", "001", "010", "011", "100", "101", "111"],
      [(.x, .store(1, .relaxed))], [(.x, .load(.relaxed)), (.y, .store(1, .releasing))],
      [(.y, .load(.acquiring)), (.x, .load(.relaxed))]),
    litmus("two threads increment a word", ["01", "10"], [(.x, .increment(.relaxed))], [(.x, .increment(.relaxed))]),
    litmus(
      "a compare-exchange that fails sees an old value", ["0", "1", "2"],
      [(.x, .store(1, .relaxed)), (.x, .store(2, .relaxed))], [(.x, .failingExchange(.relaxed))]),
    Program("two threads take a lock", outcomes: ["01", "10"]) { run in
      let next = Guarded(0)
      var turns = [0, 0]
      for index in turns.indices {
        run.thread {
          next.withLock {
            turns[index] = $0
            $0 += 1
          }
        }
      }
      run.atEnd { run.outcome("\(turns[0])\(turns[1])") }
    },
    Program("two threads take two locks in opposite orders", known: "no thread can continue") { run in
      let one = Guarded(0)
      let two = Guarded(0)
      run.thread { one.withLock { _ in two.withLock { _ in } } }
      run.thread { two.withLock { _ in one.withLock { _ in } } }
    },
    Program("a field that is not published", known: "field was changed") { run in
      let word = Atomic(0)
      let field = Scheduler.shared.makeField("field")
      run.thread {
        Scheduler.shared.touch(field, .change)
        word.store(1, ordering: .relaxed)
      }
      run.thread { if word.load(ordering: .acquiring) == 1 { Scheduler.shared.touch(field, .read) } }
    },
  ]

  /// Creates a program whose outcome is the sequence of the values that the threads find.
  private static func litmus(
    _ name: String, _ outcomes: Set<String>, _ threads: [(word: Word.Name, use: Use)]...
  ) -> Program {
    Program(name, outcomes: outcomes) { run in
      let words = [Word(), Word()]
      var found = threads.map { _ in "" }
      for (number, uses) in threads.enumerated() {
        run.thread { for (word, use) in uses { found[number] += words[word.rawValue].perform(use) } }
      }
      run.atEnd { run.outcome(found.joined()) }
    }
  }

  private static func storeBuffering(
    _ name: String, _ stores: Access.Order, _ loads: Access.Order, _ outcomes: Set<String>
  ) -> Program {
    litmus(
      name, outcomes, [(.x, .store(1, stores)), (.y, .load(loads))], [(.y, .store(1, stores)), (.x, .load(loads))])
  }

  private static func messagePassing(
    _ name: String, _ store: Access.Order, _ load: Access.Order, _ outcomes: Set<String>
  ) -> Program {
    litmus(
      name, outcomes, [(.x, .store(1, .relaxed)), (.y, .store(1, store))], [(.y, .load(load)), (.x, .load(.relaxed))])
  }
}
