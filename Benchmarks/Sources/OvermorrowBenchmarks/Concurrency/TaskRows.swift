/// The rows with the value of a `Task`.
enum TaskRows {
  static func workload(for row: Row) -> Workload? {
    switch row {
    case .l: awaitFinished
    case .m: awaitRunning
    default: nil
    }
  }

  private static func awaitFinished(_ count: Int) {
    OneThread().run {
      let task = Task { 1 }
      expect(await task.value == 1, .l)
      for _ in 0..<count { blackHole(await task.value) }
    }
  }

  /// The task that is waited for runs when the one that waits has stopped.
  private static func awaitRunning(_ count: Int) {
    let executor = OneThread()
    executor.run {
      for round in 0..<count {
        let value = await Task(executorPreference: executor) { 1 }.value
        if round == 0 { expect(value == 1, .m) }
        blackHole(value)
      }
    }
  }
}
