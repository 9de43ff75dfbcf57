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
      case nil:
        children += [
          ("state", core.unresolvedState), ("hasRequestedCancel", core.hasBeenAskedToCancel),
          ("interestedChildren", Int(core.votesNow.count)), ("waitsFor", core.cause),
        ]
        if let origin = CoreNote.find(core)?.site.text { children.append(("origin", origin)) }
      }
      return Mirror(self, children: children, displayStyle: .struct)
    }
  }
}
