import Dispatch

/// The rows for blocks, queues and groups of Dispatch, without a library.
enum DispatchRows {
  static func workload(for row: Row) -> Workload? {
    switch row {
    case .e: queueChain
    case .g: observers
    case .h: all
    default: nil
    }
  }

  /// Each block submits the next one.
  private static func queueChain(_ count: Int) {
    let queue = DispatchQueue(label: "row e")
    let done = DispatchSemaphore(value: 0)
    @Sendable func step(_ left: Int, _ value: Int) {
      queue.async {
        blackHole(value)
        if left == 1 { done.signal() } else { step(left - 1, value &+ 1) }
      }
    }
    for round in 0..<count / Row.e.group {
      step(Row.e.group, round)
      done.wait()
    }
  }

  /// The group submits the blocks when the last `leave` is called. A group has no value to pass on.
  private static func observers(_ count: Int) {
    let queue = DispatchQueue(label: "row g")
    for round in 0..<count / Row.g.group {
      let group = DispatchGroup()
      group.enter()
      for _ in 0..<Row.g.group { group.notify(queue: queue) { blackHole(1) } }
      group.leave()
      // Waits for all of them.
      queue.sync {}
      if round == 0 { expect(group.wait(timeout: .now()) == .success, .g) }
    }
  }

  /// Written by one thread, and read on the queue after the last `leave`.
  private final class Gathering: @unchecked Sendable {
    var values = Array(repeating: 0, count: Row.h.group)
  }

  private static func all(_ count: Int) {
    let queue = DispatchQueue(label: "row h")
    let done = DispatchSemaphore(value: 0)
    for round in 0..<count / Row.h.group {
      let group = DispatchGroup()
      let gathering = Gathering()
      for _ in 0..<Row.h.group { group.enter() }
      group.notify(queue: queue) {
        if round == 0 { expect(gathering.values == Array(0..<Row.h.group), .h) }
        blackHole(gathering.values)
        done.signal()
      }
      for index in 0..<Row.h.group {
        gathering.values[index] = index
        group.leave()
      }
      done.wait()
    }
  }
}
