internal import OvermorrowDiagnostics
internal import OvermorrowEngine

extension PendingPromises {
  /// A snapshot of the atomic words of an unresolved core.
  private struct Sample {
    let note: PromiseNote
    let state: CoreSnapshot
    let observers: Int
    let (upstream, inputs): (UInt, WaitingSteps?)

    init(_ note: PromiseNote) {
      self.note = note
      state = CoreSnapshot(note.core)
      observers = Int(note.core.votesNow.count)
      (upstream, inputs) = note.core.awaited
    }
  }

  /// Returns the promises that are pending now. If more than `limit` promises are pending, returns the oldest `limit`
  /// promises.
  ///
  /// - Parameter isQuick: Whether calls that take long to find are left out.
  static func snapshot(limit: Int = limit, isQuick: Bool = false) -> PendingPromises {
    var samples: [Sample] = []
    var (taken, omitted) = ([Int: Int](), 0)
    CoreNote.visitAll { note, list in
      guard let note = note.follower as? PromiseNote, !note.core.state.isResolved else { return }
      // Up to `limit` promises are taken from each list, because the oldest promises may all be in one list.
      guard taken[list, default: 0] < limit else {
        omitted += 1
        return
      }
      taken[list, default: 0] += 1
      samples.append(Sample(note))
    }
    samples.sort { $0.note.number < $1.note.number }
    omitted += max(0, samples.count - limit)
    return PendingPromises(samples.prefix(limit), omitted: omitted, isQuick: isQuick, limit: limit)
  }

  /// - Parameter limit: The largest number of entries. The calls of tasks and the promises count together.
  private init(_ samples: ArraySlice<Sample>, omitted: Int, isQuick: Bool, limit: Int) {
    let now = ContinuousClock.now
    let numbers = Dictionary(uniqueKeysWithValues: samples.map { ($0.note.core.address, Int($0.note.number)) })
    var upstream: [Int: [Int]] = [:]
    // The steps of combinators are left out. If a promise waits for such a step, its entry names the promises that the
    // step waits for.
    var inner = Set<Int>()
    for sample in samples { upstream[Int(sample.note.number)] = numbers[sample.upstream].map { [$0] } ?? [] }
    for sample in samples {
      let steps = sample.inputs?.noted ?? []
      inner.formUnion(steps)
      upstream[Int(sample.note.number), default: []] += steps.flatMap { upstream[$0] ?? [] }
    }
    var lacksCalls = false
    let calls = TaskCall.all
    for sample in samples where upstream[Int(sample.note.number)] == [] {
      if let call = sample.note.task.flatMap({ calls[$0]?.first }) { upstream[Int(sample.note.number)] = [call.number] }
    }
    let listed = Set(upstream.keys).union(calls.values.joined().map(\.number))
    let promises = samples.filter { !inner.contains(Int($0.note.number)) }.map { sample in
      let (note, id) = (sample.note, Int(sample.note.number))
      let isLeftOut = isQuick && (sample.state.isStep || note.site.text == nil) && note.mark.callTakesLong
      lacksCalls = lacksCalls || isLeftOut
      return Entry(
        id: id, origin: note.site.text, name: note.name, isStep: sample.state.isStep, context: note.context,
        age: now - note.made,
        observers: sample.observers, upstream: upstream[id] ?? [],
        cause: sample.state.cause(note, isGathering: sample.inputs != nil, isObserving: sample.upstream != 0),
        place: isLeftOut ? nil : sample.state.isStep ? note.mark.siteOfCall : note.site.text ?? note.mark.siteOfCall,
        detail: note.mark.detail)
    }
    let all =
      (promises
      + calls.values.joined().map { call in
        Entry(
          id: call.number, origin: call.site.text, name: nil, isStep: false, context: nil, age: now - call.began,
          observers: 0, upstream: call.upstream(among: calls).filter { listed.contains($0) }, cause: call.cause,
          place: call.site.text, detail: nil, function: call.function)
      }).sorted { $0.id < $1.id }
    var kept = Array(all.prefix(limit))
    if kept.count < all.count {
      let ids = Set(kept.map(\.id))
      for index in kept.indices { kept[index].upstream.removeAll { !ids.contains($0) } }
    }
    entries = kept
    self.omitted = omitted + all.count - kept.count
    self.lacksCalls = lacksCalls
  }
}

extension PendingPromises {
  /// Returns the pending promises with these numbers and all promises that they wait for. Other pending promises do not
  /// count towards the limit.
  static func snapshot(upstreamOf ids: [Int]) -> PendingPromises {
    let entries = snapshot(limit: .max).entries
    let all = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0.upstream) })
    var (found, rest) = (Set<Int>(), ids)
    while let id = rest.popLast() {
      if let upstream = all[id], found.insert(id).inserted { rest += upstream }
    }
    let listed = entries.filter { found.contains($0.id) }.prefix(limit)
    return PendingPromises(entries: Array(listed), omitted: found.count - listed.count)
  }
}

extension PromiseScope {
  /// The pending promises of the scope, and the promises that they wait for.
  package var pending: PendingPromises { .snapshot(upstreamOf: numbers) }
}

extension WaitingSteps {
  fileprivate var noted: [Int] {
    var cores = OwnedCores()
    keepCores(in: &cores)
    return cores.all.compactMap { CoreNote.find($0).map { Int($0.number) } }
  }
}
