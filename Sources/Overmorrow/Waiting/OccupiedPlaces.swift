/// The queues, cores and steps that the calling thread occupies until the running code returns. This value includes
/// only the queues, cores and steps that the library knows of.
struct OccupiedPlaces {
  /// The queues whose work the thread is running: the main queue, queues of callbacks, and the queue of ``mark``.
  private let places: [Place]
  /// The mark of the queue whose block the thread is running. The mark is retained, because the place of the queue is
  /// compared with other places.
  private let mark: QueueMark?
  /// The cores whose waiters the thread is serving. The thread serves the remaining waiters only after the running code
  /// has returned.
  private let served: [CoreRef]
  /// The steps that the thread runs next.
  private let steps: [CoreRef]

  init() {
    let occupied = Pass.occupied
    mark = QueueMark.current
    places = occupied.places + (mark?.identity.map { [Place(identity: $0)] } ?? [])
    (served, steps) = (occupied.served, occupied.steps)
  }

  /// The largest number of promises that are examined. If the promise waits for more promises, no obstacle is found.
  private static var limit: Int { 10_000 }
  /// The largest number of rounds. Each round examines all collected promises. One or two rounds suffice, except for
  /// tangled graphs.
  private static var rounds: Int { 16 }

  var isEmpty: Bool { places.isEmpty && served.isEmpty && steps.isEmpty }

  /// Returns the obstacle that prevents `core` from being resolved while the thread is blocked. Returns `nil` if no
  /// obstacle is known.
  ///
  /// The search collects each core once, and holds a count on the core so that its address is not reused meanwhile.
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

  /// Returns the obstacle that prevents the first of these cores from being resolved. The obstacles are computed as the
  /// least fixed point, so that a cycle of promises does not count as an obstacle. A cycle is no obstacle, because a
  /// wait is not its cause.
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
    // If work of the main queue calls no user code, a wait that blocks the queue runs the work itself.
    let place = traits.contains(.endsFromOutside) && core.place.isOnMain ? .immediate : core.place
    if let ownObstacle = obstacle(for: place),
      sources.isEmpty || traits.contains(.onAnything) || sources.contains(where: { core.wants($0.core) })
    {
      // In each of these three cases, the step has been or will be handed over to its place, because no result that its
      // source can still get skips the callback. (A result that is not for the callback is passed on without a
      // hand-over.)
      return ownObstacle
    }
    let waiting = sources.filter { !$0.core.state.isResolved }
    if core.place.isImmediate, sources.contains(where: { served.contains($0.core) }) { return .turn }
    // The core may be resolved by a timeout, or by one input that has no obstacle.
    guard !traits.contains(.endsFromOutside), !waiting.isEmpty, waiting.allSatisfy({ $0.obstacle != nil }) else {
      return nil
    }
    return waiting.first { if case .queue = $0.obstacle { true } else { false } }?.obstacle ?? waiting[0].obstacle
  }

  private func obstacle(for place: Place) -> Obstacle? {
    if place.isOnMain { return places.contains(.main) ? .main : nil }
    return places.contains(place) ? .queue(place) : nil
  }

  /// The reason why a wait cannot end.
  enum Obstacle: Equatable {
    /// A step that has to run on the main queue. The wait blocks the main queue.
    case main
    /// A step that has to run on a queue whose work the waiting thread is running. If the queue is serial, the wait
    /// blocks it. Dispatch does not say whether a queue is serial.
    case queue(Place)
    /// A step that only the waiting thread can run or serve, and only after the wait.
    case turn
  }
}
