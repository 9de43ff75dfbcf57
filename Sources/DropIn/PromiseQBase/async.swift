/// Begins work on a global queue, like `Promise { … }`.
///
/// This function is for an `async { … }` that is a statement of its own, which would otherwise call a deprecated
/// function of the standard library. All other forms of `async` make a ``Promise`` directly.
///
/// - Parameter f: The work. An error that it throws rejects the promise.
@discardableResult
public func async<T>(f: @escaping () throws -> T) -> Promise<T> { Promise(f: f) }
