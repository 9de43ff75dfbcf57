/// The short form of a step that no other thread can see, such as the last `then` of a chain.
extension Waiter {
  /// Returns whether only this right can ever lead to the step. Such a step has no handle, no request, no waiter, and
  /// no side table through which a token could find the step.
  @inline(__always)
  func isUnobserved(by source: CoreRef) -> Bool {
    // Acquiring: all uses by threads that have released a count come before this load. Relaxed: the only count is the
    // waiter's, so no other thread can change these words.
    core.fields.count.load(ordering: .acquiring) == 1
      && core.fields.state.load(ordering: .relaxed) == StateWord.empty(.pending).bits
      && core.fields.link.load(ordering: .relaxed) == LinkWord.upstream(source.address).bits
  }

  /// Runs the callback of a step that no other thread can see. The step is claimed, resolved and destroyed without a
  /// compare-exchange on its words.
  @inline(never)
  consuming func runUnobserved(from source: CoreRef, in pass: Pass) {
    let core = leave()
    core.fields.link.store(LinkWord.none.bits, ordering: .relaxed)
    // Unsafe: the word had the count, and no other thread sees the word.
    unsafe source.release()
    let verdict = core.perform(.run, source)
    core.takePlace().relinquish()
    let outcome: Outcome
    switch consume verdict {
    case .value: outcome = .value
    case .error: outcome = .error
    case .cancelled: outcome = .cancelled
    case .promise:
      core.fields.state.store(StateWord.empty(.claimed).bits, ordering: .relaxed)
      // Unsafe: no other thread can see this step, and the claim gets the waiter's count.
      return unsafe Claim(on: core).settle(.promise, in: pass)
    case .answer: OperationResult.failAsAnswer()
    }
    core.fields.state.store(StateWord.closed(outcome).bits, ordering: .relaxed)
    core.fields.count.store(0, ordering: .relaxed)
    core.destroyInPlace()
  }
}
