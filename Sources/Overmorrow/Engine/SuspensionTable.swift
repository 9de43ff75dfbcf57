/// What a suspended promise has got, and keeps until it is resumed.
enum KeptResult: Sendable {
  /// The step is ready to run: its source has resolved. Counted.
  case source(CoreRef)
  /// The payload is in place.
  case outcome(Outcome)
}

/// Which promises are suspended, why, and what they keep. All of it under the lock of `Suspensions`.
///
/// A promise is suspended while the user has asked for it, or while all its observers are suspended: all that have a
/// vote. ``settle(_:_:)`` brings the core's phase in line with that, and goes on with what the core waits for.
struct SuspensionTable: Sendable {
  private struct Entry: Sendable {
    /// The user has suspended it.
    var isAsked = false
    /// The control of its chain has suspended it.
    var isControlled = false
    /// The observers that are suspended, by the addresses of their cores, each of which counts this core.
    var observers: Set<UInt> = []
    /// What the core would be if it were not held; `nil` when it is not held.
    var phase: StateWord.Phase?
    /// Among the observers of these, while it is held. Counted.
    var upstream: [CoreRef] = []
    var kept: KeptResult?
    /// When that came, compared with what others keep.
    var number = 0

    var isEmpty: Bool { !isAsked && !isControlled && observers.isEmpty && phase == nil }

    func isToBeHeld(_ core: CoreRef) -> Bool {
      isAsked || isControlled || !observers.isEmpty && observers.count >= core.votesNow.count
    }
  }

  private var entries: [UInt: Entry] = [:]
  /// How many results have been kept so far.
  private var numberKept = 0

  var count: Int { entries.count }

  // MARK: One core

  func phase(of core: CoreRef) -> StateWord.Phase? { entries[core.address]?.phase }

  func keepsResult(of core: CoreRef) -> Bool { entries[core.address]?.kept != nil }

  mutating func setPhase(_ phase: StateWord.Phase, of core: CoreRef) { entries[core.address]?.phase = phase }

  mutating func keep(_ result: KeptResult, for core: CoreRef) {
    numberKept += 1
    entries[core.address]?.kept = result
    entries[core.address]?.number = numberKept
  }

  mutating func takeResult(of core: CoreRef) -> KeptResult? {
    defer { entries[core.address]?.kept = nil }
    return entries[core.address]?.kept
  }

  mutating func mark(_ core: CoreRef, isAsked: Bool) {
    if isAsked {
      entries[core.address, default: Entry()].isAsked = true
    } else {
      entries[core.address]?.isAsked = false
    }
  }

  mutating func mark(_ core: CoreRef, isControlled: Bool) {
    if isControlled {
      entries[core.address, default: Entry()].isControlled = true
    } else {
      entries[core.address]?.isControlled = false
    }
  }

  /// A held core is about to be resolved: forgets it. The caller has taken, or has no use for, what it keeps.
  mutating func end(_ core: CoreRef, _ aftermath: inout Aftermath) {
    guard let entry = entries.removeValue(forKey: core.address) else { return }
    settleAll(unlink(core, from: entry.upstream), &aftermath)
  }

  // MARK: Chains

  /// Holds a core or lets it go, as its votes are now, and so on upstream.
  mutating func settle(_ core: CoreRef, _ aftermath: inout Aftermath) {
    core.retain()
    settleAll([core], &aftermath)
  }

  /// The same for several, each with a count that goes to the aftermath.
  private mutating func settleAll(_ cores: [CoreRef], _ aftermath: inout Aftermath) {
    var waiting = cores
    while let core = waiting.popLast() {
      aftermath.released.append(core)
      guard var entry = entries.removeValue(forKey: core.address) else { continue }
      if entry.phase == nil, entry.isToBeHeld(core) {
        waiting += hold(core, &entry, &aftermath)
      } else if let phase = entry.phase, !entry.isToBeHeld(core) {
        waiting += letGo(core, to: phase, &entry, &aftermath)
      }
      if !entry.isEmpty { entries[core.address] = entry }
    }
  }

  /// - Returns: What to settle next, counted.
  private mutating func hold(_ core: CoreRef, _ entry: inout Entry, _ aftermath: inout Aftermath) -> [CoreRef] {
    guard let phase = core.hold() else {
      entry.isAsked = false
      entry.isControlled = false
      return []
    }
    // An observer that came in between has seen neither this nor us; one that comes later sees the phase.
    guard entry.isToBeHeld(core) else {
      core.letGo(to: phase)
      return []
    }
    entry.phase = phase
    core.retain()
    aftermath.changed.append(core)
    // E7: after the change of the state, as the request looks at the state after its own change: one sees the other.
    if core.hasBeenAskedInTotalOrder {
      core.retain()
      aftermath.requested.append(core)
    }
    return link(core, &entry)
  }

  private mutating func letGo(
    _ core: CoreRef, to phase: StateWord.Phase, _ entry: inout Entry, _ aftermath: inout Aftermath
  ) -> [CoreRef] {
    core.letGo(to: phase)
    entry.phase = nil
    core.retain()
    aftermath.changed.append(core)
    if let kept = entry.kept { aftermath.resumed.append((core, kept, entry.number)) }
    entry.kept = nil
    defer { entry.upstream = [] }
    return unlink(core, from: entry.upstream)
  }

  // MARK: Links

  /// A held core waits for something new.
  mutating func link(_ core: CoreRef, _ aftermath: inout Aftermath) {
    guard var entry = entries.removeValue(forKey: core.address) else { return }
    let next = entry.phase == nil ? [] : link(core, &entry)
    entries[core.address] = entry
    settleAll(next, &aftermath)
  }

  /// Makes a held core one of the suspended observers of what it waits for.
  ///
  /// - Returns: What that is, counted.
  private mutating func link(_ core: CoreRef, _ entry: inout Entry) -> [CoreRef] {
    // It is about to be cancelled, and its vote has been taken back, or is being taken back.
    if core.hasBeenAskedInTotalOrder { return [] }
    var next: [CoreRef] = []
    // A step without a vote, such as a tap, has no say.
    let hasSay = entry.phase != .pending || core.traits.contains(.votes)
    for upstream in core.retainUpstream() {
      if hasSay, entries[upstream.address, default: Entry()].observers.insert(core.address).inserted {
        upstream.retain()
        entry.upstream.append(upstream)
        // A vote that has been withdrawn before is not counted any more; who withdraws one later looks here again.
        upstream.updateVotes { ($0.having(suspendedChild: true), ()) }
      }
      next.append(upstream)
    }
    return next
  }

  /// A core, suspended or not, is not an observer of this one any more.
  mutating func unlink(_ core: CoreRef, _ upstream: CoreRef, _ aftermath: inout Aftermath) {
    removeObserver(core, of: upstream)
    if let index = entries[core.address]?.upstream.firstIndex(of: upstream) {
      entries[core.address]?.upstream.remove(at: index)
      aftermath.released.append(upstream)
    }
    settle(upstream, &aftermath)
  }

  private mutating func unlink(_ core: CoreRef, from upstream: [CoreRef]) -> [CoreRef] {
    for each in upstream { removeObserver(core, of: each) }
    return upstream
  }

  private mutating func removeObserver(_ core: CoreRef, of upstream: CoreRef) {
    entries[upstream.address]?.observers.remove(core.address)
    if entries[upstream.address]?.observers.isEmpty ?? true {
      upstream.updateVotes { ($0.having(suspendedChild: false), ()) }
    }
  }

  // MARK: Resuming

  /// Takes back what the user has asked for, of a core and of all that it waits for, directly or not.
  mutating func resumeAll(from core: CoreRef, _ aftermath: inout Aftermath) {
    core.retain()
    var found = [core]
    var seen: Set<UInt> = [core.address]
    var next = 0
    while next < found.count {
      entries[found[next].address]?.isAsked = false
      for upstream in found[next].retainUpstream() {
        if seen.insert(upstream.address).inserted {
          found.append(upstream)
        } else {
          aftermath.released.append(upstream)
        }
      }
      next += 1
    }
    settleAll(found.reversed(), &aftermath)
  }
}
