import NIOCore
import NIOPosix
import Overmorrow
import OvermorrowNIO
import Testing

@Suite(.timeLimit(.minutes(1))) struct FutureToPromiseTests {
  private let loop = MultiThreadedEventLoopGroup.singleton.next()

  @Test("19.1 the promise of a future has its value or its error")
  func results() async throws {
    #expect(try await loop.submit { 7 }.promise().value == 7)
    #expect(await loop.submit { () throws -> Int in throw Fault() }.promise().finalResult.error is Fault)
  }

  @Test("15.10 19.1 the promise of a future has the place of the call")
  func place() async throws {
    let pending = loop.makePromise(of: Int.self)
    let (promise, found) = PromiseDiagnostics.checking { pending.futureResult.promise(line: 7) }
    #expect(found == [.neverResolved(origin: "\(#fileID):7")])
    pending.succeed(7)
    #expect(try await promise.value == 7)
  }

  @Test("19.1 an error that stands for cancellation cancels the promise", arguments: [true, false])
  func cancelled(isTasks: Bool) async throws {
    let error: any Error = isTasks ? CancellationError() : PromiseCancelledError()
    let future: EventLoopFuture<Int> = loop.makeFailedFuture(error)
    #expect(await future.promise().finalResult.isCancelled)
  }

  @Test("19.1 on the loop, the promise resolves inside the call that completes the future")
  func noHop() async throws {
    let seen = try await loop.submit {
      let pending = loop.makePromise(of: Int.self)
      let promise = pending.futureResult.promise().map(on: .immediate) { ($0, loop.inEventLoop) }
      let before = promise.result == nil
      pending.succeed(7)
      let isThere = loop.makeSucceededFuture(8).promise().result?.value == 8
      return (before, promise.result?.value?.0, promise.result?.value?.1, isThere)
    }.get()
    #expect(seen == (true, 7, true, true))
  }

  @Test("19.1 a request cancels the promise at once, and the future's result is ignored")
  func requestCancel() async throws {
    let pending = loop.makePromise(of: Int.self)
    let promise = pending.futureResult.promise()
    promise.requestCancel()
    #expect(promise.result?.isCancelled == true)
    pending.succeed(7)
  }

  @Test("19.1 with a cancel handler, the work behind the future decides what a request does")
  func cancelHook() async throws {
    let timer = loop.scheduleTask(in: .hours(1)) { 7 }
    let promise = timer.futureResult.promise { _ in timer.cancel() }
    promise.requestCancel()
    #expect(await promise.finalResult.error as? EventLoopError == .cancelled)
  }

  @Test("19.1 when the loop is shut down before the future is complete, the promise fails")
  func shutDown() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let pending = group.next().makePromise(of: Int.self)
    let promise = pending.futureResult.promise()
    // NIO requires every future to be completed, and a loop that has been shut down completes none.
    promise.tap(on: .immediate) { _ in pending.succeed(7) }
    try await group.shutdownGracefully()
    #expect(await promise.finalResult.error as? EventLoopError == .shutdown)
  }
}

@Suite(.timeLimit(.minutes(1))) struct PromiseToFutureTests {
  private let loop = MultiThreadedEventLoopGroup.singleton.next()

  @Test("the future of a promise has its result, now or later", arguments: [true, false])
  func results(isThere: Bool) async throws {
    func value(_ result: PromiseResult<Int, any Error>) async throws -> Int {
      let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
      if isThere { resolver.resolve(with: result) }
      let future = promise.future(on: loop)
      resolver.resolve(with: result)
      return try await future.get()
    }
    #expect(try await value(.value(7)) == 7)
    await #expect(throws: Fault.self) { try await value(.error(Fault())) }
    await #expect(throws: PromiseCancelledError.self) { try await value(.cancelled) }
  }

  @Test("19.1 on the loop, the future completes inside the call that resolves the promise")
  func noHop() async throws {
    let seen = try await loop.submit {
      let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
      let future = promise.future(on: loop)
      resolver.fulfill(with: 7)
      return [future, promise.future(on: loop)].map { $0.promise().result?.value }
    }.get()
    #expect(seen == [7, 7])
  }

  @Test("19.1 if the loop is shut down first, the future fails and requests cancellation")
  func shutDown() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let (asked, request) = Promise<Bool, any Error>.makeWithResolver()
    let (ended, end) = Promise<any Error, any Error>.makeWithResolver()
    let resolver = { () -> Promise<Int, any Error>.Resolver in
      let (work, resolver) = Promise<Int, any Error>.makeWithResolver()
      work.future(on: group.next()).whenFailure { end.fulfill(with: $0) }
      return resolver
    }()
    resolver.onRequestCancel(on: .immediate) { _ in request.fulfill(with: true) }
    try await group.shutdownGracefully()
    #expect(try await ended.value as? EventLoopError == .shutdown)
    #expect(try await asked.value)
    // Too late: nothing is submitted to the loop any more.
    resolver.fulfill(with: 7)
  }

  @Test("19.1 the guide's reply is parsed on the loop")
  func eventLoops() async throws {
    let reply = "ok"
    @Sendable func parse(_ reply: String) throws -> String { reply }
    let channel = (eventLoop: loop, ())
    let answer = channel.eventLoop.submit { try parse(reply) }.promise()
      .map(on: .eventLoop(channel.eventLoop)) { $0.uppercased() }
    let future = answer.future(on: channel.eventLoop)
    #expect(try await future.get() == "OK")
  }
}
