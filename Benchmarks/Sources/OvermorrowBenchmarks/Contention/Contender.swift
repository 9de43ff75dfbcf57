import Overmorrow

/// An operation that several threads execute at the same time.
struct Contender: Sendable {
  let name: String
  /// Prepares the state that the threads share, if any.
  let prepare: @Sendable () -> Work

  struct Work: Sendable {
    /// Executes a number of operations on one of the threads.
    let run: @Sendable (_ counter: Counter, _ operations: Int) -> Void
    /// Executed by one thread when all threads have finished. By then, each operation has added one to its counter.
    let finish: @Sendable () -> Void
  }
}

/// A comparison of promises with code that people write by hand with a mutex, under contention.
struct Contention: Sendable {
  private typealias P = Promise<Int, any Error>

  let name: String
  let contenders: [Contender]

  static let all = [shared, separate] + flow

  /// All threads register on one promise, and then one of them resolves it.
  private static let shared = Contention(
    name: "all threads observe one promise, which is then resolved",
    contenders: [
      Contender(name: "promise") {
        let (promise, resolver) = P.makeWithResolver()
        return Contender.Work { counter, operations in
          for _ in 0..<operations { promise.then(on: .immediate) { counter.value &+= $0 } }
        } finish: {
          resolver.fulfill(with: 1)
        }
      },
      Contender(name: "mutex") {
        let cell = LockedClosureCell()
        return Contender.Work { counter, operations in
          for _ in 0..<operations { cell.whenFulfilled { counter.value &+= $0 } }
        } finish: {
          cell.fulfill(1)
        }
      },
    ])

  /// Each thread creates, observes, resolves and releases its own promises.
  private static let separate = Contention(
    name: "each thread creates, observes, resolves and releases its own promises",
    contenders: [
      Contender(name: "promise") {
        Contender.Work { counter, operations in
          for _ in 0..<operations {
            let (promise, resolver) = P.makeWithResolver()
            promise.then(on: .immediate) { counter.value &+= $0 }
            resolver.fulfill(with: 1)
          }
        } finish: {
        }
      },
      Contender(name: "mutex") {
        Contender.Work { counter, operations in
          for _ in 0..<operations {
            let cell = LockedClosureCell()
            cell.whenFulfilled { counter.value &+= $0 }
            cell.fulfill(1)
          }
        } finish: {
        }
      },
    ])
}
