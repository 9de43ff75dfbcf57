import NIOCore
import NIOEmbedded
import NIOPosix

/// SwiftNIO's futures; callbacks capture an object.
enum NIOHoldings {
  static func pending(_ count: Int) -> Holding {
    let loop = EmbeddedEventLoop()
    let shelf = Shelf<EventLoopPromise<Int>>(count)
    return Holding {
      for _ in 0..<count { shelf.content.append(loop.makePromise(of: Int.self)) }
    } end: {
      let counter = Counter()
      for promise in shelf.content {
        promise.futureResult.whenSuccess { counter.value &+= $0 }
        promise.succeed(1)
      }
      expect(counter.value == count, "pending futures")
    }
  }

  static func resolved(_ count: Int) -> Holding {
    let loop = EmbeddedEventLoop()
    let shelf = Shelf<EventLoopFuture<Int>>(count)
    return Holding {
      for _ in 0..<count { shelf.content.append(loop.makeSucceededFuture(1)) }
    } end: {
      let counter = Counter()
      for future in shelf.content { future.whenSuccess { counter.value &+= $0 } }
      expect(counter.value == count, "resolved futures")
    }
  }

  static func observers(_ count: Int) -> Holding {
    let counter = Counter()
    let promise = EmbeddedEventLoop().makePromise(of: Int.self)
    return Holding {
      for _ in 0..<count { promise.futureResult.whenSuccess { counter.value &+= $0 } }
    } end: {
      promise.succeed(1)
      expect(counter.value == count, "observers of a future")
    }
  }

  static func observed(_ count: Int) -> Holding {
    let counter = Counter()
    let loop = EmbeddedEventLoop()
    let shelf = Shelf<EventLoopPromise<Int>>(count)
    return Holding {
      for _ in 0..<count {
        let promise = loop.makePromise(of: Int.self)
        promise.futureResult.whenSuccess { counter.value &+= $0 }
        shelf.content.append(promise)
      }
    } end: {
      for promise in shelf.content { promise.succeed(1) }
      expect(counter.value == count, "observed futures")
    }
  }

  static func links(_ count: Int) -> Holding {
    let captured = Captured()
    let promise = EmbeddedEventLoop().makePromise(of: Int.self)
    var last = promise.futureResult
    return Holding {
      for _ in 0..<count { last = last.map { $0 &+ captured.number } }
    } end: {
      let counter = Counter()
      last.whenSuccess { counter.value = $0 }
      promise.succeed(0)
      expect(counter.value == count, "map steps of futures")
    }
  }

  /// Measured on the loop that runs the timers.
  static func timers(_ count: Int) -> Holding {
    let captured = Captured()
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let shelf = Slot<[Scheduled<Int>]>()
    shelf.content = []
    shelf.content?.reserveCapacity(count)
    return Holding {
      wait(on: loop) {
        for _ in 0..<count { shelf.content?.append(loop.scheduleTask(in: .hours(1)) { captured.number }) }
      }
    } end: {
      let counter = Counter()
      wait(on: loop) {
        for timer in shelf.content ?? [] {
          timer.futureResult.whenFailure { _ in counter.value += 1 }
          timer.cancel()
        }
      }
      expect(counter.value == count, "scheduled tasks")
    }
  }

  private static func wait(on loop: any EventLoop, _ body: @escaping @Sendable () -> Void) {
    do { try loop.submit(body).wait() } catch { expect(false, "an event loop") }
  }

  static func waitingTasks(_ count: Int) -> Holding {
    let counter = Counter()
    let promise = EmbeddedEventLoop().makePromise(of: Int.self)
    let future = promise.futureResult
    let executor = OneThread()
    return Holding {
      for _ in 0..<count {
        Task(executorPreference: executor) { counter.value &+= try await future.get() }
        executor.runJobs()
      }
    } end: {
      promise.succeed(1)
      executor.runJobs()
      expect(counter.value == count, "tasks that wait for a future")
    }
  }
}
