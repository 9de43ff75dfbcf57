import Overmorrow

/// Tasks that wait for promises.
func awaiting(
  _ promise: Promise<Int, LoadError>, _ text: Promise<Int, String>, _ safe: Promise<Int, Never>
) async throws {
  print(try await promise.value, await text.finalResult)
  do throws(CancellationError) { print(try await safe.value) } catch { print(error) }
  print(try PromiseResult<Int, LoadError>.value(1).get())
  for await (index, result) in PromiseCompletionOrder(of: [promise, promise]) { print(index, result) }
  var results = PromiseCompletionOrder(of: [text]).makeAsyncIterator()
  while let (index, result) = await results.next() { print(index, result) }
}

/// Promises of the results of tasks.
@MainActor
final class Loader {
  private var count = 0

  func load(_ numbers: AsyncStream<Int>) {
    let number = Promise<Int, any Error>(priority: .high) {
      self.count += 1
      try await Task.sleep(for: .seconds(1))
      return self.count
    }
    let text = Promise<Int, Never> {
      for await number in numbers where number > 3 { return number }
      return 0
    }
    let typed = Promise<Int, LoadError> { () async throws(LoadError) in throw .offline }
    when(fulfilled: number, numbers.firstPromise { $0 > 3 }).then { self.count += $0 + ($1 ?? 0) }
    text.then { self.count += $0 }
    typed.then { self.count += $0 }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func load(on executor: any TaskExecutor, _ numbers: AsyncStream<Int>) {
    let text = Promise<Int, Never>(taskExecutor: executor) {
      for await number in numbers where number > 3 { return number }
      return 0
    }
    text.then { self.count += $0 }
  }
}

/// Threads that block for a promise.
func waiting(_ promise: Promise<Int, LoadError>, plain: Promise<Int, String>) throws {
  print(try promise.wait(), try promise.wait(timeout: .seconds(3)))
  do throws(PromiseWaitError) {
    print(try plain.waitForResult(), plain.waitForResult(timeout: .seconds(3)) ?? .cancelled)
  } catch {
    switch error {
    case .timedOut(let details?), .deadlock(let details?): print(details)
    case .timedOut, .deadlock: print(error.description, error == .timedOut, error == .deadlock)
    }
    var hasher = Hasher()
    error.hash(into: &hasher)
    let all: [PromiseWaitError] = [.timedOut(details: "1"), .deadlock(details: "2")]
    print(all, hasher.finalize())
  }
}
