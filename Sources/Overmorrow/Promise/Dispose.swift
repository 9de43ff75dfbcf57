/// Releases an object without deep recursion, even if the object owns a second object, the second owns a third, and so
/// on.
///
/// The object is released as the result of a core: see `CoreRef.destroySlowly`. The caller must hold the only reference
/// to the object.
package func dispose<Value: Sendable>(_ value: consuming Value) { _ = Promise<Value, Never>(fulfilled: value) }
