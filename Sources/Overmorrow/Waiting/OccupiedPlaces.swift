internal import Dispatch

/// What the calling thread occupies until it returns, as far as the library knows.
struct OccupiedPlaces {
  /// The main queue, the queues whose callbacks the thread is running, and ``queue``.
  private let places: [Place]
  /// The queue whose block the thread is running. It is retained, because its place is compared.
  private let queue: DispatchQueue?
  /// The cores whose waiters the thread is serving. The remaining waiters are served only when the running code
  /// returns.
  private let served: [CoreRef]
  /// The steps that the thread runs next.
  private let steps: [CoreRef]

  init() {
    let occupied = Pass.occupied
    queue = QueueMark.current
    places = occupied.places + (queue.map { [Place(keptBesides: $0)] } ?? [])
    (served, steps) = (occupied.served, occupied.steps)
  }

  /// The largest number of promises to visit. If there are more, no obstacle is found.
  private static var limit: Int { 10_000 }
  /// The largest number of visits to each of them. One or two suffice, except for tangled graphs.
  private static var rounds: Int { 16 }

  var isEmpty: Bool { places.isEmpty && served.isEmpty && steps.isEmpty }

  /// What prevents `core` from being resolved while the thread is blocked; `nil` if nothing is known to.
  ///
  /// Each core is visited once. This holds a count on each visited core, so that its address is not reused meanwhile.
  func obstacle(to core: CoreRef) -> Obstacle? {
    guard !isEmpty else { return nil }
    var kept = OwnedCores()
    var cores = [core]
    var numbers: [UInt: Int] = [core.address: 0]
    var upstream: [[Int]] = []
    var isWhole = true
    while upstream.count < cores.count {
      let found = upstream.count < Self.limit ? kept.keep(cores[upstream.count].upstream()) : []
      isWhole = isWhole && upstream.count < Self.limit
      upstream.append(
        found.map { core in
          if let number = numbers[core.address] { return number }
          numbers[core.address] = cores.count
          cores.append(core)
          return cores.count - 1
        })
    }
    guard isWhole else { return nil }
    return obstacle(among: cores, upstream)
  }

  /// What prevents the first of these cores from being resolved. This is the least fixed point, because a cycle that
  /// was not found yet is no obstacle.
  private func obstacle(among cores: [CoreRef], _ upstream: [[Int]]) -> Obstacle? {
    var found: [Obstacle?] = cores.map { _ in nil }
    for _ in 0..<Self.rounds {
      var hasChanged = false
      for index in cores.indices.reversed() where found[index] == nil && !cores[index].state.isResolved {
        let sources = upstream[index].map { (core: cores[$0], obstacle: found[$0]) }
        guard let obstacle = obstacle(at: cores[index], waitingFor: sources) else { continue }
        found[index] = obstacle
        hasChanged = true
      }
      if !hasChanged { break }
    }
    return found[0]
  }

  private func obstacle(at core: CoreRef, waitingFor sources: [(core: CoreRef, obstacle: Obstacle?)]) -> Obstacle? {
    if steps.contains(core) { return .turn }
    let traits = core.traits
    // A wait that blocks the main queue itself runs the work of that queue that calls no user code.
    let place = traits.contains(.endsFromOutside) && core.place.isOnMain ? .immediate : core.place
    if let here = obstacle(for: place),
      sources.isEmpty || traits.contains(.onAnything) || sources.contains(where: { core.wants($0.core) })
    {
      // The step was handed over, or will be, whatever the source's result is. (A result that the callback does not
      // want would be passed on without a hand-over.)
      return here
    }
    let waiting = sources.filter { !$0.core.state.isResolved }
    if core.place.isImmediate, sources.contains(where: { served.contains($0.core) }) { return .turn }
    // A timeout, or one of several inputs, may suffice.
    guard !traits.contains(.endsFromOutside), !waiting.isEmpty, waiting.allSatisfy({ $0.obstacle != nil }) else {
      return nil
    }
    return waiting.first { if case .queue = $0.obstacle { true } else { false } }?.obstacle ?? waiting[0].obstacle
  }

  private func obstacle(for place: Place) -> Obstacle? {
    if place.isOnMain { return places.contains(.main) ? .main : nil }
    return places.contains(place) ? .queue(place) : nil
  }

  /// What prevents a wait from ending.
  enum Obstacle: Equatable {
    /// A step that has to run on the main queue, which the wait blocks.
    case main
    /// A step that has to run on a queue that the wait blocks if it is serial. Dispatch does not say whether it is.
    case queue(Place)
    /// A step that this thread runs next.
    case turn
  }
}
