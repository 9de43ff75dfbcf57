import Dispatch
import Overmorrow
import OvermorrowFlow

enum LoadError: Error, Hashable {
  case offline
  case stale(Int)
}

/// Contexts, resolvers, and every way to make a promise.
func creating(queue: DispatchQueue, executor: any PromiseExecutor) throws {
  let contexts: [PromiseContext] = [
    .main, .background, .utility, .default, .userInitiated, .userInteractive, .immediate, .auto,
    .queue(queue), .executor(executor), .nowOr(.main), PromiseContext(qos: .utility),
  ]
  print(Set(contexts).count, contexts[0] == contexts[1], PromiseContext.isExecutingNow)
  executor.enqueue { print("work") }

  let body = Promise<Int, String>(on: .utility) { resolver in
    resolver.onRequestCancel(on: .immediate) { $0.cancel() }
    if !resolver.hasRequestedCancel { resolver.fulfill(with: 1) }
  }
  let throwing = Promise<Int, LoadError>(on: .utility) { resolver throws(LoadError) in
    guard !resolver.hasRequestedCancel else { throw .offline }
    resolver.resolve(with: Result<Int, LoadError>.success(1))
  }
  let anyError = Promise<Int, any Error>(on: .immediate) { resolver in
    let callback = resolver.completionHandler(isCancellation: { $0 is CancellationError })
    callback(1, nil)
    resolver.resolve(with: PromiseResult<Int, LoadError>.error(.stale(1)))
    throw PromiseError.callbackWithoutResult
  }

  let (promise, resolver) = Promise<[Int], String>.makeWithResolver()
  resolver.resolve(with: Promise(fulfilled: [1]))
  resolver.resolve(with: PromiseResult.error("no"))
  Promise<Void, String>.makeWithResolver().1.fulfill()
  resolver.reject(with: "no")
  let made = [Promise(fulfilled: [1]), Promise(rejected: "no"), Promise(with: .cancelled), promise]
  print(
    made[0] == made[1], Set(made).count, promise.description, promise.customMirror.children.count, promise.result as Any
  )
  let outcome = Promise<Int, LoadError>(with: Result<Int, LoadError>.failure(.offline))
  print(body, throwing, anyError, outcome, Set([PromiseError.ownerDeallocated]).count)

  let preview = LazyPromise<Int, any Error>(on: .utility) { $0.fulfill(with: 1) }
  let risky = LazyPromise<Int, LoadError>(on: .utility) { resolver throws(LoadError) in
    guard !resolver.hasRequestedCancel else { throw .offline }
  }
  let stated = LazyPromise<Int, String>(on: .utility) { $0.reject(with: "no") }
  print(preview == preview, preview.promise, risky.promise, stated.promise)
}

/// Results and their conversions.
func results(_ result: PromiseResult<Int, LoadError>, encoder: any Encoder, decoder: any Decoder) throws {
  let all: [PromiseResult<Int, LoadError>] = [.value(1), .error(.offline), .cancelled, PromiseResult(.success(1))]
  for result in all { print(result.value as Any, result.error as Any, result.isCancelled) }
  print(Result(result) as Any)
  let longer = result.map { "\($0)" }.flatMap { $0.isEmpty ? .cancelled : .value($0) }
  print(longer.mapError { "\($0)" }.flatMapError { _ in PromiseResult<String, Never>.cancelled })
  let coded = try PromiseResult<Int, String>(from: decoder)
  try coded.encode(to: encoder)
  print(coded == .cancelled, Set([coded]))
}

/// Hashing by hand.
func hashing(_ promise: Promise<Int, String>, _ context: PromiseContext, _ token: PromiseInvalidationToken) -> Int {
  var hasher = Hasher()
  promise.hash(into: &hasher)
  promise.owned().hash(into: &hasher)
  context.hash(into: &hasher)
  token.hash(into: &hasher)
  return hasher.finalize()
}

/// Diagnostics as they are reported, and as a check returns them.
func diagnostics() {
  PromiseDiagnostics.handler = { diagnostic in
    if diagnostic == .resolverDropped() || diagnostic == PromiseDiagnostic.resolvedWithItself() { print(diagnostic) }
    if diagnostic == .resolvedTwice(origin: nil, isRejection: true) { print(diagnostic) }
    if diagnostic == .longWait(origin: nil, waitsFor: "its resolver") { print(diagnostic) }
    if diagnostic == .deadlock(origin: nil, cycle: ["a task waits for itself"]) { print(diagnostic) }
    if diagnostic == .longCallback(origin: nil, step: nil, queue: "main", duration: .seconds(1)) { print(diagnostic) }
    if diagnostic != .invalidArgument("PromiseRetryPolicy.attempts: 0 counts as 1") { print(diagnostic) }
  }
  let levels: [PromiseDiagnostics.Level] = [.off, .report, .print, .trap]
  PromiseDiagnostics.level = levels[0] == PromiseDiagnostics.level ? levels[1] : levels[2]
  PromiseDiagnostics.recordsTrails = !PromiseDiagnostics.recordsTrails
  if let limit = PromiseDiagnostics.stallLimit { PromiseDiagnostics.stallLimit = limit * 2 }
  let (number, found) = PromiseDiagnostics.checking { 7 }
  print(PromiseDiagnostics.checking(leaks: true) { "seven" }.diagnostics == [.leaked(origin: nil)])
  for diagnostic in found where diagnostic != .neverResolved(origin: nil) {
    print(number, diagnostic == .failureUnobserved(origin: "here"), diagnostic.description)
  }
}

/// A custom executor.
final class Loop: PromiseExecutor {
  private let queue = DispatchQueue(label: "loop")

  func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
