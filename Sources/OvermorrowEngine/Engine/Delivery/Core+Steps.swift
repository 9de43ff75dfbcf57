/// The registration of a step.
extension CoreRef {
  /// Makes `self` wait for `source`. Every operator registers here.
  ///
  /// The caller has the handle of `source`. `self` is not shared yet. If the caller has neither the handle of `self`
  /// nor a count on it, `self` may have ended when this function returns.
  @usableFromInline
  package func register(on source: CoreRef, under gate: Gate? = nil) {
    if source.traits.isFollowed, !traits.has(.library) { source.follow(step: self) }
    // The note sees the step before the step enters the gate, because a token may take the callback out afterwards.
    if gate?.enter(self) == false, votesNow.isSealed {
      // This step has no handle, and its callback is suppressed. So no code can observe the step, and the step ends
      // without being registered.
      dropWaiting()
      // Unsafe, here and below: the maker of a step has the right to it, as long as the step is not registered.
      return unsafe Waiter(of: self).releaseListCount()
    }
    if source.state.isClosed { return unsafe Waiter(of: self).serveAtOnce(from: source) }
    if traits.contains(.votes) { source.updateVotes { ($0.adding(), ()) } }
    let count = Owned(source)
    if link.hasSideTable {
      _ = attach(count)
    } else {
      // Relaxed: published with the step (E2).
      fields.link.store(LinkWord.upstream(count.leak().address).bits, ordering: .relaxed)
    }
    if source.push(self) != .registered {
      // E3: all earlier waiters have been started, except one that the drainer starts at this moment (I8).
      detach(source)
      unsafe Waiter(of: self).serveAtOnce(from: source)
    }
  }
}

extension Waiter {
  /// Serves this step with the result of a closed source, inside the call that registers the step (I6).
  fileprivate consuming func serveAtOnce(from source: CoreRef) {
    let isNow = core.traits.contains(.nowOr)
    if !core.traits.wantsOutcome(of: source.state) {
      forwardResult(from: source, in: nil)
    } else if core.place.isImmediate || isNow {
      Pass.runAtOnce(self, from: source, isNow: isNow)
    } else {
      Pass.handOver(self, from: source, joins: false)
    }
  }
}
