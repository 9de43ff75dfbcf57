/// The key of a cache whose values a ``PromiseLoad`` shows.
struct FollowedKey<Value: Sendable> {
  /// A value that the cache serves, fresh or stale, and its entry.
  typealias Kept = (value: Value, entry: AnyObject)

  /// Returns the value of the key.
  let kept: () -> Kept?
  /// The object that informs the handle of changes until it is released.
  let follower: AnyObject
  /// The entry whose value was shown last. An edit of this value stays until another entry has a value.
  weak var shown: AnyObject?
}
