/// The value of the promise that a closure returns, for which the calling thread is blocked.
///
/// It is called with back-ticks, as `await` is a keyword by now:
///
/// ```swift
/// let text = try `await` { Promise { "text" } }
/// ```
///
/// - Parameter closure: Makes the promise, or returns one that is there.
/// - Throws: As ``Promise/await()``.
@discardableResult
public func `await`<T>(_ closure: () -> Promise<T>) throws -> T { try closure().await() }
