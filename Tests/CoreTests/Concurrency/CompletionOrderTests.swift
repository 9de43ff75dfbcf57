import Testing

@testable import Overmorrow

@Suite(.inTurn) struct CompletionOrderTests {
  @Test("8.1 8.6 results arrive in the order in which the promises resolve, whatever the outcomes")
  func order() async {
    let pairs = (0..<4).map { _ in Subject.makeWithResolver() }
    var results = PromiseCompletionOrder(of: pairs.map(\.0)).makeAsyncIterator()
    pairs[2].1.fulfill(with: 20)
    pairs[0].1.reject(with: "no")
    pairs[3].1.cancel()
    pairs[1].1.fulfill(with: 10)
    var (indices, seen): ([Int], [PromiseResult<Int, Reason>]) = ([], [])
    while let (index, result) = await results.next() {
      indices.append(index)
      seen.append(result)
    }
    #expect(indices == [2, 0, 3, 1])
    #expect(seen == [.value(20), .error("no"), .cancelled, .value(10)])
  }

  @Test("8.1 resolved promises are delivered in their order, and an empty sequence ends")
  func resolved() async {
    let order = PromiseCompletionOrder(of: [Subject(fulfilled: 1), Subject(rejected: "no"), Subject(fulfilled: 3)])
    for _ in 0..<2 {
      var indices: [Int] = []
      for await (index, _) in order { indices.append(index) }
      #expect(indices == [0, 1, 2])
    }
    for await _ in PromiseCompletionOrder(of: [Subject]()) { Issue.record("an element out of nothing") }
  }

  @Test("8.3 8.6 leaving the loop early withdraws the votes")
  func leftEarly() async {
    let probes = (0..<3).map { _ in IntProbe() }
    probes[1].resolver.fulfill(with: 1)
    do {
      let order = PromiseCompletionOrder(of: probes.map { $0.take() })
      for await (index, _) in order {
        #expect(index == 1)
        break
      }
      withExtendedLifetime(order) { #expect(probes.map(\.requestCount) == [0, 0, 0]) }
    }
    #expect(probes.map(\.requestCount) == [1, 0, 1])
  }

  @Test("8.3 cancelling the iterating task ends the loop at once and withdraws the votes")
  func cancelled() async {
    let probes = (0..<3).map { _ in IntProbe() }
    let order = Holder(PromiseCompletionOrder(of: probes.map { $0.take() }))
    let task = Task {
      var count = 0
      if let mine = order.value {
        order.value = nil
        for await _ in mine { count += 1 }
      }
      return count
    }
    task.cancel()
    #expect(await task.value == 0)
    #expect(probes.map(\.requestCount) == [1, 1, 1])
  }

  @Test("8.1 10,000 promises that are resolved on several threads give one element each")
  func many() async {
    let pairs = (0..<scaled(10_000)).map { _ in Subject.makeWithResolver() }
    let order = PromiseCompletionOrder(of: pairs.map(\.0))
    async let resolving: Void = withTaskGroup { group in
      for part in 0..<4 {
        group.addTask {
          for index in stride(from: part, to: pairs.count, by: 4) { pairs[index].1.fulfill(with: index) }
        }
      }
    }
    var seen: Set<Int> = []
    for await (index, result) in order {
      #expect(result == .value(index))
      seen.insert(index)
    }
    await resolving
    #expect(seen.count == pairs.count)
  }
}

@Suite(.inTurn) struct AsyncSequenceFirstPromiseTests {
  @Test("8.2 8.7 the first element that satisfies the predicate fulfils, or nil without one")
  func first() async throws {
    let numbers = AsyncStream { continuation in
      for number in 1...5 { continuation.yield(number) }
      continuation.finish()
    }
    #expect(try await numbers.firstPromise { $0 > 2 }.value == 3)
    #expect(try await AsyncStream<Int> { $0.finish() }.firstPromise { _ in true }.value == nil)
  }

  @Test("8.2 an error of the sequence, or of the predicate, rejects the promise")
  func failing() async {
    let broken = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Refusal.first) }
    await #expect(throws: Refusal.first) { try await broken.firstPromise { _ in true }.value }
    let numbers = AsyncStream<Int> { $0.yield(1) }
    await #expect(throws: Refusal.second) { try await numbers.firstPromise { _ in throw Refusal.second }.value }
  }

  @Test("8.2 8.7 a request to cancel ends the iteration, and cancels the promise")
  func cancelled() async {
    let ended = Latch()
    let endless = AsyncStream<Int> { continuation in
      continuation.yield(1)
      continuation.onTermination = { _ in ended.signal() }
    }
    let promise = endless.firstPromise { $0 > 1 }
    promise.requestCancel()
    #expect(await promise.finalResult.isCancelled)
    await ended.wait(for: "the end of the sequence")
  }
}
