import Overmorrow

/// Work that a test resolves.
struct Work<Value: Sendable, Failure: Error>: Sendable {
  let promise: Promise<Value, Failure>
  let resolver: Promise<Value, Failure>.Resolver

  init() { (promise, resolver) = Promise.makeWithResolver() }
}

/// What promises of tests fail with.
struct Fault: Error, CustomStringConvertible {
  let description = "fault"
}
