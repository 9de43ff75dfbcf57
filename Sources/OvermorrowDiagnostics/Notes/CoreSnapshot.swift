package import OvermorrowEngine

/// The state of an unresolved core at one moment, and its descriptions.
package struct CoreSnapshot {
  package let isStep: Bool
  private let isAdopting: Bool
  /// Whether the callback of a step is running. A core with a resolver is claimed from the start.
  private let runsCallback: Bool

  package init(_ core: CoreRef) {
    let phase = core.state.phase
    isStep = !core.traits.has(.hasResolver)
    isAdopting = phase == .adopting
    runsCallback = isStep && phase == .claimed
  }

  /// A description of the state.
  package var state: String {
    runsCallback ? "unresolved, its callback runs" : isAdopting ? "unresolved, follows another promise" : "unresolved"
  }

  /// Returns a description of what the core waits for.
  ///
  /// - Parameters:
  ///   - isGathering: Whether the core waits for several other cores, through steps.
  ///   - isObserving: Whether the core waits for one other core.
  package func cause(_ note: PromiseNote?, isGathering: Bool, isObserving: Bool) -> String {
    if isObserving { return isAdopting ? "the promise that it was resolved with" : "the promise before it" }
    if isAdopting { return "the promise that it was resolved with, which has its result" }
    if isStep {
      return runsCallback ? "its callback, which is running" : "its turn on \(note?.context ?? "its context")"
    }
    switch note?.body {
    case .waits(let context)?: return "its body, which waits to run on \(context)"
    case .runs?: return "its body, which is running"
    case .some(.none), nil: break
    }
    let producer = note?.producer ?? .resolver
    return isGathering && producer == .resolver ? "its inputs" : producer.awaited
  }
}

extension CoreRef {
  /// A description of an unresolved promise: its state, the place where it was made, the context of its callback, the
  /// number of its children with a vote, and what it waits for. The caller has the handle of the core or a count on the
  /// core.
  package var situation: String {
    let note = CoreNote.find(self)
    let observers = Int(votesNow.count)
    let parts = [
      "unresolved", note?.name.map { "named \"\($0)\"" }, note?.site.text.map { "made at \($0)" },
      note?.context.map { "on \($0)" },
      observers == 0 ? nil : observers == 1 ? "1 observer" : "\(observers) observers", "waits for \(cause)",
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  /// A description of what an unresolved promise waits for. The caller has the handle of the core or a count on the
  /// core.
  package var cause: String {
    let snapshot = CoreSnapshot(self)
    let note = PromiseNote.find(self)
    let (address, inputs) = awaited
    let upstream = address == 0 && inputs == nil ? OwnedCores() : upstream()
    if upstream.all.count > 1 { return "\(upstream.all.count) promises" }
    if let first = upstream.all.first.flatMap(CoreNote.find) {
      let (isNamed, isPlaced) = (first.name != nil, first.site.text != nil)
      if isNamed && first.name != note?.name || isPlaced && first.site.text != note?.site.text { return first.label }
    }
    return snapshot.cause(note, isGathering: inputs != nil, isObserving: address != 0)
  }
}
