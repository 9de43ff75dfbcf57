import AsyncAlgorithms
import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import Testing

/// The library's asynchronous sequences with the operators of swift-async-algorithms.
@Suite(.timeLimit(.minutes(1))) struct AsyncAlgorithmsTests {
  @Test("19.6 the progress of two promises can be merged, and each ends with its promise")
  func progress() async {
    let (first, second) = (PromiseProgress(total: 10), PromiseProgress(total: 10))
    first.report(completed: 3)
    second.report(completed: 4)
    let merged = Task {
      await merge(first, second).reduce(into: [PromiseProgress.Step]()) { $0.append($1) }
    }
    first.finish(isComplete: true)
    second.finish(isComplete: false)
    let steps = await merged.value
    #expect(steps.filter(\.isFinished).map(\.completed).sorted() == [4, 10])
  }

  @Test("19.6 repeated equal steps of a progress can be removed as duplicates")
  func duplicates() async {
    let progress = PromiseProgress(total: 2)
    let steps = Task { await Array(progress.removeDuplicates { $0.completed == $1.completed }) }
    progress.report(completed: 2)
    progress.finish(isComplete: true)
    let completed = await steps.value.map(\.completed)
    #expect(completed == Array(Set(completed)).sorted() && completed.last == 2)
  }

  @Test("19.6 results in the order of completion are chained, zipped and chunked")
  func completionOrder() async {
    let jobs = (0..<3).map { _ in Work<Int, any Error>() }
    let order = PromiseCompletionOrder(of: jobs.map(\.promise)).map { next in
      // The other jobs resolve one after another, each after the previous result has been received.
      if let following = [2: 0, 0: 1][next.index] { jobs[following].resolver.fulfill(with: following) }
      return next
    }
    jobs[2].resolver.fulfill(with: 2)
    var found: [[Int?]] = []
    for await chunk in chain(order, PromiseCompletionOrder(of: [Promise(fulfilled: 9)])).chunks(ofCount: 2) {
      found.append(chunk.map(\.result.value))
    }
    #expect(found == [[2, 0], [1, 9]])
    let zipped = await Array(zip(PromiseCompletionOrder(of: [Promise<Int, any Error>(fulfilled: 1)]), ["a"].async))
    #expect(zipped.map(\.0.result.value) == [1] && zipped.map(\.1) == ["a"])
  }
}
