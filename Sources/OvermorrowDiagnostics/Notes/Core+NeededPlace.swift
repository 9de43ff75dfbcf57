package import OvermorrowEngine

extension CoreRef {
  /// The largest number of cores that are visited along a chain.
  private static var longestChain: Int { 1000 }

  /// Returns the blocked place of a step or of a body without which the core cannot resolve. This is a step or the body
  /// of this core, or of a core that this core follows through steps and adoptions. Returns `nil` if there is no such
  /// place, or if there may be another way to resolve the core.
  ///
  /// The caller has the handle of the core or a count on the core.
  ///
  /// The words of the cores are read one after another, while other threads resolve cores. When a place is found, the
  /// cores of the way are read again, in the order of the way. If each of them still waits, none of them had left its
  /// source, so all of them waited at one time. A core loses its inputs only after its result was published.
  ///
  /// - Parameter isBlocked: Whether a place is blocked. The place is only compared with others.
  package func neededPlace(where isBlocked: (Place) -> Bool) -> Place? {
    var kept = OwnedCores()
    var way: [CoreRef] = []
    var core = self
    for _ in 0..<Self.longestChain {
      guard core.isWaiting else { return nil }
      way.append(core)
      // The place is read last, because a step without a source has its place only while the step waits to run there.
      let (sources, place) = (kept.keep(core.upstream()), core.place)
      if core.needsPlace(waitingFor: sources.first), isBlocked(place) {
        return way.allSatisfy(\.isWaiting) ? place : nil
      }
      // A timeout or another input may resolve the core.
      guard !core.traits.contains(.resolvesBeforeSource), core.inputs == nil, let source = sources.first else {
        return nil
      }
      core = source
    }
    return nil
  }

  /// Whether no thread resolves this core at the moment: the core is a step whose callback has not begun, adopts, or
  /// has a body that has not begun.
  ///
  /// If a thread has the right to resolve a core, the result may be published at any time.
  var isWaiting: Bool {
    switch state.phase {
    case .pending, .adopting: true
    case .claimed: traits.contains(.hasResolver) && place != .immediate
    default: false
    }
  }

  /// Returns whether the step or the body of this core has to run on the place of the core.
  ///
  /// A step without a source was handed over to its place. Any other step needs its place if its callback is for the
  /// result of its source. If the callback is for all results, this is known before there is a result.
  func needsPlace(waitingFor source: CoreRef?) -> Bool {
    source.map { traits.contains(.onAnything) || traits.wantsOutcome(of: $0.state) } ?? true
  }
}
