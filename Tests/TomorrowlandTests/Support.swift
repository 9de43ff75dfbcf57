import Tomorrowland
import XCTest

struct TestError: Error, Equatable {
  var id = 0
}

enum OtherError: Error, Equatable {
  case other
}

/// A class as old code has them: not `Sendable`, changed in callbacks.
final class Log {
  private let lock = NSLock()
  private var list: [String] = []

  var events: [String] { lock.withLock { list } }
  var count: Int { events.count }

  func add(_ event: String = "") { lock.withLock { list.append(event) } }
}

/// Something mutable.
final class Box<T> {
  var value: T

  init(_ value: T) { self.value = value }
}

/// Tells when it goes.
final class Witness {
  private let onDeinit: () -> Void

  init(_ onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }

  func use() {}

  deinit { onDeinit() }
}

/// A promise that other code resolves, and that counts the requests to cancel it.
final class Source<Failure: Sendable> {
  private var held: Promise<Int, Failure>?
  let resolver: Promise<Int, Failure>.Resolver
  let requests = Log()

  var promise: Promise<Int, Failure> { held! }

  init(cancels: Bool = true) {
    let (promise, resolver) = Promise<Int, Failure>.makeWithResolver()
    held = promise
    self.resolver = resolver
    resolver.onRequestCancel(on: .immediate) { [requests] resolver in
      requests.add()
      if cancels { resolver.cancel() }
    }
  }

  /// The promise, which only the caller holds from now on.
  func take() -> Promise<Int, Failure> {
    defer { held = nil }
    return held!
  }
}

/// A serial queue that code can recognise.
final class TestQueue {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  let queue = DispatchQueue(label: "test")
  var context: PromiseContext { .queue(queue) }
  var isCurrent: Bool { DispatchQueue.getSpecific(key: TestQueue.key) == ObjectIdentifier(self) }

  init() { queue.setSpecific(key: TestQueue.key, value: ObjectIdentifier(self)) }
}

extension XCTestCase {
  /// Waits until a promise is resolved.
  @discardableResult
  func result<V, E>(of promise: Promise<V, E>) -> PromiseResult<V, E>? {
    let resolved = XCTestExpectation(description: "promise resolved")
    promise.tap(on: .immediate) { _ in resolved.fulfill() }
    wait(for: [resolved], timeout: 20)
    return promise.result
  }

  func assertFulfilled<V: Equatable, E>(
    _ promise: Promise<V, E>, _ value: V, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(result(of: promise)?.value, value, "\(promise)", file: file, line: line)
  }

  func assertRejected<V, E, Found: Equatable>(
    _ promise: Promise<V, E>, _ error: Found, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(result(of: promise)?.error as? Found, error, "\(promise)", file: file, line: line)
  }

  func assertCancelled<V, E>(_ promise: Promise<V, E>, file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertEqual(result(of: promise)?.isCancelled, true, "\(promise)", file: file, line: line)
  }

  func onMain<T>(_ body: @MainActor () throws -> T) rethrows -> T {
    try MainActor.assumeIsolated { Unchecked(value: try body()) }.value
  }

  struct Unchecked<T>: @unchecked Sendable {
    let value: T
  }

  /// Lets the main queue run what it has.
  func passMain() {
    let passed = XCTestExpectation(description: "the main queue has passed")
    DispatchQueue.main.async { passed.fulfill() }
    wait(for: [passed], timeout: 20)
  }
}
