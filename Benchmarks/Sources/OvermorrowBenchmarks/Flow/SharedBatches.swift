/// Row bc: in each round, a group of tasks awaits the values of different keys, which are loaded together.
///
/// The oldest job runs first, so that a load that is a job begins when all tasks of the group wait.
enum SharedBatches {
  /// - Parameter wake: Starts the load when no job is left. Returns `false` if there is nothing to start.
  static func run(
    _ count: Int, _ value: @escaping @Sendable (_ key: Int) async -> Int, wake: () -> Bool = { false }
  ) {
    let executor = OneThread(runs: .oldest)
    executor.replaceGlobalExecutor()
    let round = Slot<UnsafeContinuation<Void, Never>>()
    executor.run {
      for _ in 0..<count / Row.bc.group {
        for key in 0..<Row.bc.group {
          Task(executorPreference: executor) {
            let value = await value(key)
            if key == 1 { expect(value == 1, .bc) }
            blackHole(value)
          }
        }
        await withUnsafeContinuation { round.content = $0 }
      }
    } wake: {
      // Without a load, all tasks of the round have ended.
      if !wake() { round.take()?.resume() }
    }
  }

  /// Returns the loaded values of keys.
  static func values(of keys: [Int]) -> [Int: Int] {
    var values = [Int: Int](minimumCapacity: keys.count)
    for key in keys { values[key] = key }
    return values
  }
}
