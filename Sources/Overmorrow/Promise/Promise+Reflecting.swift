internal import OvermorrowDiagnostics
internal import OvermorrowEngine

extension Promise: CustomReflectable {
  /// The mirror that `dump` and a debugger show: the result of the promise or, while it is unresolved, its state and
  /// what it waits for.
  ///
  /// - `identity`: an identifier that no other promise has at the same time. The mirror of a
  ///   ``PromiseInvalidationToken`` lists its promises by their identities.
  /// - `state`: fulfilled, rejected, cancelled or unresolved. For an unresolved promise, also whether the promise has
  ///   adopted another promise, or whether its callback is running.
  /// - `value` or `error`: the value of a fulfilled promise, or the error of a rejected promise.
  /// - `hasRequestedCancel` and `interestedChildren`, while unresolved: whether the promise has been asked to cancel,
  ///   and how many of its children still have a vote.
  /// - `waitsFor`, `origin` and `name`, while unresolved: what the promise waits for, and, if they are known, where the
  ///   promise was made and its name.
  ///
  /// The mirror of an unresolved promise is a snapshot: other threads may change the promise at any time.
  public var customMirror: Mirror {
    withExtendedLifetime(handle) {
      let core = handle.core
      var children: [Mirror.Child] = [("identity", core.identity)]
      switch result {
      case .value(let value)?: children += [("state", "fulfilled"), ("value", value)]
      case .error(let error)?: children += [("state", "rejected"), ("error", error)]
      case .cancelled?: children.append(("state", "cancelled"))
      case nil: children += core.unresolvedChildren
      }
      return Mirror(self, children: children, displayStyle: .struct)
    }
  }
}

extension Promise.Resolver: CustomReflectable {
  /// The mirror that `dump` and a debugger show. While the promise is unresolved, this mirror has the children of the
  /// promise's mirror. Once the promise is resolved, the only child of this mirror is `state`, which is "resolved".
  public var customMirror: Mirror {
    let children = object.withCore { $0.state.isResolved ? nil : [("identity", $0.identity)] + $0.unresolvedChildren }
    return Mirror(self, children: (children ?? nil) ?? [("state", "resolved")], displayStyle: .struct)
  }
}

extension CoreRef {
  /// The children of the mirror of an unresolved promise. The caller has the handle or a count.
  fileprivate var unresolvedChildren: [Mirror.Child] {
    let note = CoreNote.find(self)
    return [
      ("state", CoreSnapshot(self).state), ("hasRequestedCancel", hasBeenAskedToCancel),
      ("interestedChildren", Int(votesNow.count)), ("waitsFor", cause),
    ] + (note?.site.text.map { [("origin", $0)] } ?? []) + (note?.name.map { [("name", $0)] } ?? [])
  }
}
