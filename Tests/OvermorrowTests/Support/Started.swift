@testable import Overmorrow

/// An observer that has run, and where.
struct Started: Sendable {
  let number: Int
  let thread: ObjectIdentifier

  /// The observer that runs just now.
  init(_ number: Int) {
    self.number = number
    thread = currentThread
  }
}

extension Recorder where Entry == Started {
  /// What is wrong if not each of the observers of one thread has run once, started in the order of registration.
  ///
  /// One may come to its log after a later one only while another thread runs it: it has been started before.
  func startFinding(_ count: Int) -> String? {
    let entries = entries
    let numbers = entries.map(\.number)
    guard numbers.sorted() == Array(0..<count) else { return "observers ran: \(numbers)" }
    for (place, late) in entries.enumerated() {
      for early in entries[..<place] where early.number > late.number && early.thread == late.thread {
        return "observers ran in the order \(numbers)"
      }
    }
    return nil
  }

  /// What is wrong if not each of the observers has run once, one after the other, in the order of registration.
  func orderFinding(_ count: Int) -> String? {
    let numbers = entries.map(\.number)
    return numbers == Array(0..<count) ? nil : "observers ran in the order \(numbers)"
  }
}
