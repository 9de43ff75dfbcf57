/// Begins work on a global queue: the same as `Promise { … }`.
///
/// For an `async { … }` that stands alone, which would call a deprecated function of the standard library otherwise.
/// All other forms of `async` make a ``Promise`` by themselves.
///
/// - Parameter f: The work. What it throws rejects the promise.
@discardableResult
public func async<T>(f: @escaping () throws -> T) -> Promise<T> { Promise(f: f) }
