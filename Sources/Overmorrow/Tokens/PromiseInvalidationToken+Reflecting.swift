extension PromiseInvalidationToken: CustomReflectable {
  /// What `dump` and a debugger show of the token.
  ///
  /// - `invalidateOnDeinit`: whether it invalidates itself when its last copy goes.
  /// - `promises`: the unresolved ones that the next invalidation asks to cancel, each by the `identity` that its own
  ///   mirror shows.
  /// - `followers`: the tokens that are chained to this one and still exist, each by its description.
  ///
  /// Callbacks that the token suppresses are not listed: they look at the token, which does not know them.
  public var customMirror: Mirror {
    let (promises, followers) = storage.contents
    let children: [Mirror.Child] = [
      ("invalidateOnDeinit", storage.invalidateOnDeinit), ("promises", promises.map(\.identity)),
      ("followers", followers.map(\.description)),
    ]
    return Mirror(self, children: children, displayStyle: .struct)
  }
}
