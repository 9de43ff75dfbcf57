/// Suspended tasks.
enum TaskHoldings {
  /// Tasks that are suspended only by a continuation.
  static func suspended(_ count: Int) -> Holding {
    let counter = Counter()
    let shelf = Slot<[UnsafeContinuation<Int, Never>]>()
    shelf.content = []
    shelf.content?.reserveCapacity(count)
    let executor = OneThread()
    return Holding {
      for _ in 0..<count {
        Task(executorPreference: executor) {
          counter.value &+= await withUnsafeContinuation { shelf.content?.append($0) }
        }
        executor.runJobs()
      }
    } end: {
      for continuation in shelf.content ?? [] { continuation.resume(returning: 1) }
      executor.runJobs()
      expect(counter.value == count, "suspended tasks")
    }
  }

  /// Tasks that all await the value of one task.
  static func waiting(_ count: Int) -> Holding {
    let counter = Counter()
    let gate = Slot<UnsafeContinuation<Int, Never>>()
    let executor = OneThread()
    let task = Task(executorPreference: executor) { await withUnsafeContinuation { gate.content = $0 } }
    executor.runJobs()
    return Holding {
      for _ in 0..<count {
        Task(executorPreference: executor) { counter.value &+= await task.value }
        executor.runJobs()
      }
    } end: {
      gate.take()?.resume(returning: 1)
      executor.runJobs()
      expect(counter.value == count, "tasks that wait for a task")
    }
  }

  static func finished(_ count: Int) -> Holding {
    let shelf = Shelf<Task<Int, Never>>(count)
    let executor = OneThread()
    return Holding {
      for _ in 0..<count {
        shelf.content.append(Task(executorPreference: executor) { 1 })
        executor.runJobs()
      }
    } end: {
      let tasks = shelf.content
      let counter = Counter()
      executor.run { for task in tasks { counter.value &+= await task.value } }
      expect(counter.value == count, "finished tasks")
    }
  }

  /// Tasks that sleep until a time that is never reached.
  static func sleeping(_ count: Int) -> Holding {
    let counter = Counter()
    let shelf = Shelf<Task<Void, Never>>(count)
    let executor = OneThread()
    return Holding {
      for _ in 0..<count {
        shelf.content.append(
          Task(executorPreference: executor) {
            do { try await Task.sleep(for: .seconds(3600)) } catch { counter.value += 1 }
          })
        executor.runJobs()
      }
    } end: {
      for task in shelf.content { task.cancel() }
      executor.runJobs()
      expect(counter.value == count, "sleeping tasks")
    }
  }
}
