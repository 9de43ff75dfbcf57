/// Row ch: in each round, a group of tasks awaits the value of one new key, whose load ends when all of them wait.
enum SharedMisses {
  typealias Load = @Sendable (Int) async throws -> Int

  static func run(
    _ count: Int, on executor: OneThread, _ value: @escaping @Sendable (_ key: Int, _ load: @escaping Load) async -> Int
  ) {
    let (load, round) = (Slot<UnsafeContinuation<Void, Never>>(), Slot<UnsafeContinuation<Void, Never>>())
    executor.run {
      for key in 0..<count / Row.ch.group {
        for _ in 0..<Row.ch.group {
          Task(executorPreference: executor) {
            let value = await value(key) { key in
              await withUnsafeContinuation { load.content = $0 }
              return key
            }
            if key == 1 { expect(value == 1, .ch) }
            blackHole(value)
          }
        }
        await withUnsafeContinuation { round.content = $0 }
      }
    } wake: {
      // Without a load, all tasks of the round have ended.
      (load.take() ?? round.take())?.resume()
    }
  }
}
