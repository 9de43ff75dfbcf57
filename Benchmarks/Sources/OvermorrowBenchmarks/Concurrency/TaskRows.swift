/// The rows for tasks and their values.
///
/// `OneThread` runs the newest job first. A task that awaits an earlier task therefore finds that it has not begun, and
/// waits.
enum TaskRows {
  static func workload(for row: Row) -> Workload? {
    switch row {
    case .d: chain
    case .g: observers
    case .h: all
    case .l: awaitFinished
    case .m, .v: awaitRunning
    default: HandWrittenRows.workload(for: row)
    }
  }

  private static func awaitFinished(_ count: Int) {
    OneThread().run {
      let task = Task { 1 }
      expect(await task.value == 1, .l)
      for _ in 0..<count { blackHole(await task.value) }
    }
  }

  /// The awaited task runs after the awaiting task has suspended.
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

  /// Each task awaits the value of the previous one.
  private static func chain(_ count: Int) {
    let executor = OneThread()
    executor.run {
      for round in 0..<count / Row.d.group {
        var last = Task(executorPreference: executor) { round }
        for _ in 0..<Row.d.group {
          last = Task(executorPreference: executor) { [last] in await last.value &+ 1 }
        }
        let value = await last.value
        if round == 0 { expect(value == Row.d.group, .d) }
        blackHole(value)
      }
    }
  }

  /// The task that makes the others continues when all of them have ended.
  private static func observers(_ count: Int) {
    let executor = OneThread()
    let slot = Slot<UnsafeContinuation<Void, Never>>()
    executor.run {
      for round in 0..<count / Row.g.group {
        let awaited = Task(executorPreference: executor) { round }
        for _ in 0..<Row.g.group { Task(executorPreference: executor) { blackHole(await awaited.value) } }
        await withUnsafeContinuation { slot.content = $0 }
        if round == 0 { expect(await awaited.value == 0, .g) }
      }
    } wake: {
      slot.take()?.resume()
    }
  }

  /// The children of a group end in any order, so each of them also returns its index.
  ///
  /// The oldest job runs first, as on a thread pool, because a group searches its children for a finished one from the
  /// oldest on.
  private static func all(_ count: Int) {
    OneThread(runs: .oldest).run {
      for round in 0..<count / Row.h.group {
        let values = await withTaskGroup(of: (index: Int, value: Int).self) { group in
          for index in 0..<Row.h.group { group.addTask { (index, index) } }
          var values = Array(repeating: 0, count: Row.h.group)
          for await child in group { values[child.index] = child.value }
          return values
        }
        if round == 0 { expect(values == Array(0..<Row.h.group), .h) }
        blackHole(values)
      }
    }
  }
}
