/// Begins work on a global queue, like `Promise { … }`.
///
/// This function is for an `async { … }` that is a statement of its own. Without this function, such a statement would
/// call a deprecated function of the standard library. All other forms of `async` make a ``Promise`` directly.
///
/// - Parameter f: The work. An error that the work throws rejects the promise.
@discardableResult
public func async<T>(f: @escaping () throws -> T) -> Promise<T> { Promise(f: f) }
