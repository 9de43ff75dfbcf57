import Overmorrow
import TestSupport
import Testing

@testable import GalleryKit

@Suite(.timeLimit(.minutes(1))) struct BoundedLoaderTests {
  private typealias Job = (promise: Promise<Int, Flaw>, resolver: Promise<Int, Flaw>.Resolver)

  private let loader = BoundedLoader(limit: 2, on: .immediate)
  private let started = Recorder<Int>()

  /// Jobs that end when their resolver is told to, and what the loader makes of them.
  private func load(_ jobs: [Job]) -> [Promise<Int, Flaw>] {
    jobs.enumerated().map { index, job in
      loader.load { [started] in
        started.record(index)
        return job.promise
      }
    }
  }

  private func jobs(_ count: Int) -> [Job] {
    (0..<count).map { _ in Promise.makeWithResolver() }
  }

  @Test func `jobs beyond the limit start as others end, in order`() {
    let jobs = jobs(5)
    let loaded = load(jobs)
    #expect(started.elements == [0, 1])
    jobs[1].resolver.fulfill(with: 11)
    #expect(started.elements == [0, 1, 2])
    jobs[0].resolver.reject(with: "no")
    #expect(started.elements == [0, 1, 2, 3])
    jobs[3].resolver.cancel()
    #expect(started.elements == [0, 1, 2, 3, 4])
    #expect(loaded.map(\.result) == [.error("no"), .value(11), nil, .cancelled, nil])
  }

  @Test func `a waiting job that is cancelled settles at once and never starts`() {
    let jobs = jobs(4)
    let loaded = load(jobs)
    loaded[2].requestCancel()
    #expect(loaded[2].result == .cancelled)
    jobs[0].resolver.fulfill(with: 0)
    #expect(started.elements == [0, 1, 3])
  }

  @Test func `cancelling a running job reaches it, and its place is free when it has ended`() {
    let resolvers = Recorder<Promise<Int, Flaw>.Resolver>()
    let first = loader.load {
      Promise<Int, Flaw>(on: .immediate) { resolver in
        resolver.onRequestCancel(on: .immediate) { $0.cancel() }
        resolvers.record(resolver)
      }
    }
    let jobs = jobs(2)
    let others = load(jobs)
    #expect(started.elements == [0])
    first.requestCancel()
    #expect(first.result == .cancelled)
    #expect(started.elements == [0, 1])
    #expect(others.map(\.result) == [nil, nil])
  }

  @Test func `after an invalidation no waiting job starts, and places are free all the same`() {
    let token = PromiseInvalidationToken()
    let jobs = jobs(3)
    let loaded = jobs.map { job in loader.load(token: token) { job.promise } }
    token.invalidate()
    jobs[0].resolver.fulfill(with: 0)
    jobs[1].resolver.fulfill(with: 1)
    #expect(loaded.map(\.result) == [.value(0), .value(1), .cancelled])
    #expect(loader.load { Promise<Int, Flaw>(fulfilled: 4) }.result == .value(4))
  }

  @Test func `places are not lost when jobs end at once`() async {
    let loader = BoundedLoader(limit: 3, on: .utility)
    let all = (0..<1000).map { number in loader.load { Promise<Int, Never>(fulfilled: number) } }
    #expect(await when(fulfilled: all).finished().value == Array(0..<1000))
  }

  @Test func `every job settles when jobs are cancelled from all sides while others start and end`() async {
    let loader = BoundedLoader(limit: 4, on: .utility)
    let all = (0..<500).map { number in
      loader.load {
        Promise<Int, Never>(on: .utility) { resolver in
          resolver.onRequestCancel(on: .immediate) { $0.cancel() }
          resolver.fulfill(with: number)
        }
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for promise in all.enumerated() where promise.offset.isMultiple(of: 3) {
        group.addTask { promise.element.requestCancel() }
      }
    }
    for (number, promise) in all.enumerated() {
      let result = await promise.finished()
      #expect(result == .value(number) || (number.isMultiple(of: 3) && result == .cancelled))
    }
    // All places are free again.
    #expect(await loader.load { Promise<Int, Never>(fulfilled: 1) }.finished() == .value(1))
  }
}
