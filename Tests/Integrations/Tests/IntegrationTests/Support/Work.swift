import Overmorrow

/// A promise that a test resolves.
struct Work<Value: Sendable, Failure: Error>: Sendable {
  let promise: Promise<Value, Failure>
  let resolver: Promise<Value, Failure>.Resolver

  init() { (promise, resolver) = Promise.makeWithResolver() }
}

/// The error of promises in these tests.
struct Fault: Error, CustomStringConvertible {
  let description = "fault"
}
