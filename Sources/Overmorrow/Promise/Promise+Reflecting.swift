extension Promise: CustomReflectable {
  /// What `dump` and a debugger show of the promise: its result; or, while there is none, what waits for it.
  ///
  /// - `identity`: tells two promises apart, and is what the mirror of a ``PromiseInvalidationToken`` shows.
  /// - `state`: fulfilled, rejected, cancelled or unresolved; of an unresolved one, whether it follows another promise,
  ///   or its callback runs.
  /// - `value` or `error`, if there is one.
  /// - `hasRequestedCancel` and `interestedChildren`, while unresolved: whether cancelling was requested, and how many
  ///   of the promises made from this one still want its result.
  /// - `waitsFor` and `origin`, while unresolved: what the promise waits for, and where it was made, if that is known.
  ///
  /// The mirror of an unresolved promise shows one moment of what other threads may be changing.
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
  /// What `dump` and a debugger show of the resolver: of its promise what the promise's mirror shows; or only `state`,
  /// which is "resolved".
  public var customMirror: Mirror {
    let children = producer.withCore { $0.state.isResolved ? nil : [("identity", $0.identity)] + $0.unresolvedChildren }
    return Mirror(self, children: (children ?? nil) ?? [("state", "resolved")], displayStyle: .struct)
  }
}

extension CoreRef {
  /// What a mirror shows of an unresolved promise. The caller has the handle, or a count.
  fileprivate var unresolvedChildren: [Mirror.Child] {
    let origin = CoreNote.find(self)?.site.text
    return [
      ("state", unresolvedState), ("hasRequestedCancel", hasBeenAskedToCancel),
      ("interestedChildren", Int(votesNow.count)), ("waitsFor", cause),
    ] + (origin.map { [("origin", $0)] } ?? [])
  }
}
