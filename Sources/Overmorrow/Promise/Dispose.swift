/// Releases an object that may own another one, which owns the next, and so on, without deep recursion.
///
/// It is released as the result of a core: see `CoreRef.destroySlowly`. The caller must have no other reference to it.
package func dispose<Value: Sendable>(_ value: consuming Value) { _ = Promise<Value, Never>(fulfilled: value) }
