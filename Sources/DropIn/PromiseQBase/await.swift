/// Blocks the calling thread until the promise that a closure returns is resolved, and returns its value.
///
/// It is called with backticks, because `await` has become a keyword:
///
/// ```swift
/// let text = try `await` { Promise { "text" } }
/// ```
///
/// - Parameter closure: Returns the promise to wait for.
/// - Throws: The same errors as ``Promise/await()``.
@discardableResult
public func `await`<T>(_ closure: () -> Promise<T>) throws -> T { try closure().await() }
