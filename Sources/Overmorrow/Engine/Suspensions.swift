/// All promises that are suspended, and what became of each meanwhile; beside the promises, so that those which never
/// are pay nothing.
///
/// A core is put into the phase *held*, and out of it, under this one lock. Whoever finds its own transition refused
/// because of that phase comes here, and under the lock knows which of the two it is. Nothing else happens under the
/// lock: no user code, no result published, no count given up. That is noted as ``Aftermath`` and done afterwards.
enum Suspensions {
  private static let table = Guarded(SuspensionTable())
  private static let number = Atomic(0)

  /// Whether any promise at all is suspended, or observed by one that is.
  ///
  /// Relaxed: whoever needs to know of a certain one looks at its phase.
  static var isAny: Bool { number.load(ordering: .relaxed) != 0 }

  // MARK: Asking

  /// The user suspends a promise.
  static func suspend(_ core: CoreRef) {
    change {
      $0.mark(core, isAsked: true)
      $0.settle(core, &$1)
    }
  }

  /// The user resumes a promise, and all that it waits for.
  static func resume(_ core: CoreRef) {
    if isAny { change { $0.resumeAll(from: core, &$1) } }
  }

  /// The last handle is gone, so that nobody can resume the promise any more.
  @inline(never)
  static func handleDidEnd(of core: CoreRef) {
    change {
      $0.mark(core, isAsked: false)
      $0.settle(core, &$1)
    }
  }

  /// The control of a chain suspends or resumes a promise of it. Under the lock it is asked what is true by now.
  static func control(_ core: CoreRef, _ isSuspended: @Sendable () -> Bool) {
    change {
      $0.mark(core, isControlled: isSuspended())
      $0.settle(core, &$1)
    }
  }

  /// A promise has one observer more.
  @inline(never)
  static func observersDidChange(of core: CoreRef) { change { $0.settle(core, &$1) } }

  /// An observer has taken its vote back.
  static func observerDidLeave(_ core: CoreRef, _ upstream: CoreRef) { change { $0.unlink(core, upstream, &$1) } }

  /// A promise that is suspended adopts another one.
  static func upstreamDidChange(of core: CoreRef) { change { $0.link(core, &$1) } }

  // MARK: What a suspended promise does

  // Each of these is called by one that has found its transition refused, and does it here if it is not any more.

  /// Whether a promise that was suspended right now has a result, or adopts another one.
  static func hasUsedClaim(_ core: CoreRef) -> Bool {
    change { table, _ in table.keepsResult(of: core) || (table.phase(of: core) ?? core.state.phase) == .adopting }
  }

  /// Whether a promise is suspended and has a result.
  static func keepsResult(_ core: CoreRef) -> Bool { change { table, _ in table.keepsResult(of: core) } }

  /// Takes the right to resolve a step that has not run.
  static func claim(_ core: CoreRef) -> Bool {
    change { table, aftermath in
      guard let phase = table.phase(of: core) else { return core.claimUnlessHeld() }
      guard phase == .pending else { return false }
      if case .source(let source) = table.takeResult(of: core) {
        aftermath.cleared.append((core, source))
      }
      table.setPhase(.claimed, of: core)
      return true
    }
  }

  /// Gives the claim to a core that is adopted; `false` if the promise has been cancelled meanwhile.
  static func adopt(_ core: CoreRef) -> Bool {
    change { table, _ in
      guard table.phase(of: core) != nil else { return core.adoptUnlessHeld() }
      table.setPhase(.adopting, of: core)
      return true
    }
  }

  /// Takes the claim back from the core that is adopted.
  static func takeAdopted(_ core: CoreRef) -> Bool {
    change { table, _ in
      guard let phase = table.phase(of: core) else { return core.takeAdopted() }
      guard phase == .adopting else { return false }
      table.setPhase(.claimed, of: core)
      return true
    }
  }

  /// Publishes, or keeps the outcome until the promise is resumed; the action is `nil` if it is kept. Cancelled is not
  /// kept.
  static func publish(_ core: CoreRef, _ outcome: Outcome) -> StateWord.PublishAction? {
    change { table, aftermath in
      if table.phase(of: core) != nil {
        guard outcome == .cancelled else {
          table.keep(.outcome(outcome), for: core)
          return nil
        }
        table.end(core, &aftermath)
        core.letGo(to: .claimed)
      }
      return core.markPublished(outcome)
    }
  }

  /// Keeps a step that is ready to run until it is resumed; `false` if it is not suspended.
  ///
  /// - Parameter place: Where the step runs, if it has given its place up.
  static func keep(_ step: CoreRef, from source: CoreRef, at place: Place?) -> Bool {
    change { table, _ in
      guard table.phase(of: step) == .pending else { return false }
      if let place { step.putBack(place.retained()) }
      source.retain()
      table.keep(.source(source), for: step)
      return true
    }
  }

  /// Cancels a promise that is suspended; `nil` if it is not.
  static func cancel(_ core: CoreRef) -> CancelledHeld? {
    change { table, aftermath in
      guard let phase = table.phase(of: core) else { return nil }
      let result = table.takeResult(of: core)
      table.end(core, &aftermath)
      return CancelledHeld(phase: phase, kept: result, action: core.markHeldCancelled())
    }
  }

  // MARK: The lock

  private static func change<Result: Sendable>(
    _ body: @Sendable (inout SuspensionTable, inout Aftermath) -> Result
  ) -> Result {
    let (result, aftermath) = table.withLock { table in
      var aftermath = Aftermath()
      let result = body(&table, &aftermath)
      number.store(table.count, ordering: .relaxed)
      return (result, aftermath)
    }
    aftermath.run()
    return result
  }
}

/// What a suspended core was when it was cancelled.
struct CancelledHeld: Sendable {
  let phase: StateWord.Phase
  let kept: KeptResult?
  let action: StateWord.PublishAction
}

/// What is to be done once the lock is free. Owns a count for each core that it names.
struct Aftermath: Sendable {
  /// Suspended or resumed: their producers are to be told.
  var changed: [CoreRef] = []
  /// Suspended after cancelling had been requested.
  var requested: [CoreRef] = []
  /// Resumed: what each has kept. The count is the one that the core has for being unresolved.
  var resumed: [(core: CoreRef, kept: KeptResult, number: Int)] = []
  /// Steps that were ready to run, and will not; with their sources. The count is as in `resumed`.
  var cleared: [(core: CoreRef, source: CoreRef)] = []
  /// Not needed any more.
  var released: [CoreRef] = []

  func run() {
    for core in changed {
      for control in core.producerControls() { control.update(for: core) }
      core.release()
    }
    for core in requested {
      core.cancelHeld()
      core.release()
    }
    for (core, source) in cleared {
      core.leave()
      source.release()
    }
    // In the order in which it came: of the inputs of a `when(first:)` the first one decides.
    for (core, kept, _) in resumed.sorted(by: { $0.number < $1.number }) { core.goOn(with: kept) }
    for core in released { core.release() }
  }
}
