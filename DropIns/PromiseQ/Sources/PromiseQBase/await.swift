/// Blocks the calling thread until the promise that a closure returns is resolved, and returns the value of that
/// promise.
///
/// Calls of this function need backticks, because `await` has become a keyword:
///
/// ```swift
/// let text = try `await` { Promise { "text" } }
/// ```
///
/// - Parameter closure: The closure that returns the promise to wait for.
/// - Throws: The same errors as ``Promise/await()``.
@discardableResult
public func `await`<T>(_ closure: () -> Promise<T>) throws -> T { try closure().await() }
