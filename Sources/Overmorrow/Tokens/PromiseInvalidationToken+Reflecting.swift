internal import OvermorrowEngine

extension PromiseInvalidationToken: CustomReflectable {
  /// The content of the token, for `dump` and debuggers.
  ///
  /// - `invalidateOnDeinit`: whether the token is invalidated when its last copy is released.
  /// - `promises`: the unresolved promises that the next invalidation asks to cancel, each shown by the `identity` of
  ///   its own mirror.
  /// - `followers`: the existing tokens that follow this token, each shown by its description.
  ///
  /// The callbacks that an invalidation suppresses are not listed.
  public var customMirror: Mirror {
    let (promises, followers) = storage.contents
    let children: [Mirror.Child] = [
      ("invalidateOnDeinit", storage.invalidateOnDeinit), ("promises", promises.map(\.identity)),
      ("followers", followers.map(\.description)),
    ]
    return Mirror(self, children: children, displayStyle: .struct)
  }
}
