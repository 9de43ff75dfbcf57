import Dispatch
import Overmorrow

/// The hand-overs that are compared.
enum HandOvers {
  private typealias P = Promise<Int, any Error>

  private static let serial = DispatchQueue(label: "hand-overs")
  private static let other = DispatchQueue(label: "another thread")
  private static let clerk = Clerk()

  private actor Clerk {
    func note(_ tally: Tally) { tally.count() }
  }

  // MARK: The system's

  static let raw: [HandOver] = [
    HandOver("async, serial queue") { dispatch($0, to: serial) },
    HandOver("async, utility") { dispatch($0, to: .global(qos: .utility)) },
    HandOver("async, utility, two threads") { count in
      fromTwoThreads(count) { tally, count in dispatch(count, to: .global(qos: .utility), tally) }
    },
    HandOver("async, main queue") { dispatch($0, to: .main) },
    HandOver("Task { @MainActor in }") { count in
      let tally = Tally(count)
      for _ in 0..<count { Task { @MainActor in tally.count() } }
      tally.wait()
    },
    HandOver("await, main actor") { count in
      let tally = Tally(count)
      Task.detached { for _ in 0..<count { await noteOnMain(tally) } }
      tally.wait()
    },
    HandOver("Task { await actor… }") { count in
      let (tally, clerk) = (Tally(count), clerk)
      for _ in 0..<count { Task { await clerk.note(tally) } }
      tally.wait()
    },
  ]

  @MainActor private static func noteOnMain(_ tally: Tally) { tally.count() }

  private static func dispatch(_ count: Int, to queue: DispatchQueue) {
    let tally = Tally(count)
    dispatch(count, to: queue, tally)
    tally.wait()
  }

  private static func dispatch(_ count: Int, to queue: DispatchQueue, _ tally: Tally) {
    for _ in 0..<count { queue.async { tally.count() } }
  }

  private static func fromTwoThreads(_ count: Int, _ body: @escaping @Sendable (Tally, Int) -> Void) {
    let tally = Tally(count)
    let isReady = DispatchSemaphore(value: 0)
    other.async {
      body(tally, count / 2)
      isReady.signal()
    }
    body(tally, count - count / 2)
    isReady.wait()
    tally.wait()
  }

  // MARK: Overmorrow's

  static let all: [HandOver] = [
    resolved("serial queue", .queue(serial), beside: "async, serial queue"),
    pending("serial queue", .queue(serial), beside: "async, serial queue"),
    resolved("utility", .utility, beside: "async, utility"),
    pending("utility", .utility, beside: "async, utility"),
    HandOver("then, utility, two threads", beside: "async, utility, two threads") { count in
      fromTwoThreads(count) { tally, count in
        let promise = P(fulfilled: 1)
        for _ in 0..<count { promise.then(on: .utility) { _ in tally.count() } }
      }
    },
    resolved("utility as .queue", .queue(.global(qos: .utility)), beside: "async, utility"),
    resolved("main", .main, beside: "async, main queue"),
    pending("main", .main, beside: "async, main queue"),
    resolved("main", .main, beside: "Task { @MainActor in }"),
    resolved("main", .main, beside: "await, main actor"),
    resolved("actor", .actor(clerk), beside: "Task { await actor… }"),
    pending("actor", .actor(clerk), beside: "Task { await actor… }"),
  ]

  /// Observers of a resolved promise. Making the steps is included.
  private static func resolved(_ name: String, _ context: PromiseContext, beside raw: String) -> HandOver {
    HandOver("then, \(name)", beside: raw) { count in
      let tally = Tally(count)
      let promise = P(fulfilled: 1)
      for _ in 0..<count { promise.then(on: context) { _ in tally.count() } }
      tally.wait()
    }
  }

  /// Observers of a pending promise, which is then fulfilled. Only the fulfilment is measured.
  private static func pending(_ name: String, _ context: PromiseContext, beside raw: String) -> HandOver {
    .prepared("fulfilled, \(name)", beside: raw) { count in
      let tally = Tally(count)
      let (promise, resolver) = P.makeWithResolver()
      for _ in 0..<count { promise.then(on: context) { _ in tally.count() } }
      return {
        resolver.fulfill(with: 1)
        tally.wait()
      }
    }
  }
}
