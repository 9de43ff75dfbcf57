import Overmorrow
import Synchronization

/// The code that people write by hand to load keys together. No call can be cancelled, and no error has a key.
enum HandWrittenBatches {
  static func workload(for row: Row) -> Workload? {
    switch row {
    case .bb: calls
    case .bc: awaitedCalls
    default: nil
    }
  }

  private static func calls(_ count: Int) {
    let batch = LockedBatch()
    for round in 0..<count / Row.bb.group {
      let promises = (0..<Row.bb.group).map { batch.promise(for: $0) }
      batch.load { SharedBatches.values(of: $0) }
      if round == 0 { expect(promises.map(\.result?.value) == Array(0..<Row.bb.group), .bb) }
      blackHole(promises)
    }
  }

  private static func awaitedCalls(_ count: Int) {
    let batch = ActorBatch { SharedBatches.values(of: $0) }
    SharedBatches.run(count) { (try? await batch.value(for: $0)) ?? 0 }
  }
}

private struct MissingKey: Error {}

/// A dictionary of the resolvers of promises, behind a lock.
private final class LockedBatch: Sendable {
  private typealias P = Promise<Int, any Error>

  private let waiting = Mutex<[Int: [P.Resolver]]>([:])

  func promise(for key: Int) -> Promise<Int, any Error> {
    let (promise, resolver) = P.makeWithResolver()
    waiting.withLock { $0[key, default: []].append(resolver) }
    return promise
  }

  func load(_ load: ([Int]) -> [Int: Int]) {
    let calls = waiting.withLock { waiting in
      defer { waiting = [:] }
      return waiting
    }
    let values = load(Array(calls.keys))
    for (key, resolvers) in calls {
      for resolver in resolvers {
        if let value = values[key] { resolver.fulfill(with: value) } else { resolver.reject(with: MissingKey()) }
      }
    }
  }
}

/// A dictionary of continuations in an actor. The first call makes the task of the load.
private actor ActorBatch {
  private let load: @Sendable ([Int]) async throws -> [Int: Int]
  private var waiting: [Int: [CheckedContinuation<Int, any Error>]] = [:]

  init(load: @escaping @Sendable ([Int]) async throws -> [Int: Int]) { self.load = load }

  func value(for key: Int) async throws -> Int {
    if waiting.isEmpty { Task { await run() } }
    return try await withCheckedThrowingContinuation { waiting[key, default: []].append($0) }
  }

  private func run() async {
    let calls = waiting
    waiting = [:]
    do {
      let values = try await load(Array(calls.keys))
      for (key, continuations) in calls {
        for continuation in continuations {
          if let value = values[key] {
            continuation.resume(returning: value)
          } else {
            continuation.resume(throwing: MissingKey())
          }
        }
      }
    } catch {
      for continuation in calls.values.joined() { continuation.resume(throwing: error) }
    }
  }
}
