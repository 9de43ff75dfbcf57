import Overmorrow
import OvermorrowFlow

/// The rows for `PromiseBatcher`. A group of calls, each for its own key, shares a batch, which starts after them. A load
/// returns a promise that is already fulfilled.
enum BatchRows {
  private typealias Batcher = PromiseBatcher<Int, Int>

  static func workload(for row: Row) -> Workload? {
    switch row {
    case .bb: calls
    case .bc: awaitedCalls
    default: nil
    }
  }

  private static func batcher(startingOn turn: HeldTurn) -> Batcher {
    Batcher(on: .executor(turn)) { Promise(fulfilled: SharedBatches.values(of: $0)) }
  }

  private static func calls(_ count: Int) {
    let turn = HeldTurn()
    let batcher = batcher(startingOn: turn)
    for round in 0..<count / Row.bb.group {
      let promises = (0..<Row.bb.group).map { batcher.promise(for: $0) }
      turn.run()
      if round == 0 { expect(promises.map(\.result?.value) == Array(0..<Row.bb.group), .bb) }
      blackHole(promises)
    }
  }

  private static func awaitedCalls(_ count: Int) {
    let turn = HeldTurn()
    let batcher = batcher(startingOn: turn)
    SharedBatches.run(count) {
      (try? await batcher.value(for: $0)) ?? 0
    } wake: {
      turn.run()
    }
  }
}

/// An executor that keeps its work until it is told to run it.
private final class HeldTurn: PromiseExecutor {
  // Used only by the thread that runs the row.
  nonisolated(unsafe) private var work: (@Sendable () -> Void)?

  func enqueue(_ work: @escaping @Sendable () -> Void) { self.work = work }

  /// Returns whether there was work.
  @discardableResult
  func run() -> Bool {
    guard let work = work.take() else { return false }
    work()
    return true
  }
}
