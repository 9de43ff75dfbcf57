/// Begins work on a global queue, like `Promise { … }`.
///
/// A statement that consists only of `async { … }` calls this function. Without this function, that statement would
/// call a deprecated function of the standard library. All other forms of `async` make a ``Promise`` directly.
///
/// - Parameter f: The work. An error that the work throws rejects the promise.
@discardableResult
public func async<T>(f: @escaping () throws -> T) -> Promise<T> { Promise(f: f) }
