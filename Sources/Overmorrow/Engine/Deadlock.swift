internal import Synchronization

/// What the calling thread occupies as long as it does not return, as far as the library knows.
struct OccupiedPlaces {
  /// The main queue, and the queues whose callbacks the thread is running.
  private let places: [Place]
  /// The cores whose waiters the thread is serving: those that come next are served only when it returns.
  private let served: [CoreRef]
  /// The steps that the thread runs next.
  private let steps: [CoreRef]

  init() { (places, served, steps) = Pass.occupied }

  /// How much of a chain is looked at.
  private static var limit: Int { 10_000 }

  var isEmpty: Bool { places.isEmpty && served.isEmpty && steps.isEmpty }

  /// What `core` waits for, directly or not, that has to run where the thread is; `nil` if nothing is known to.
  ///
  /// Each core is looked at once. What is looked at is counted, so that no other takes its address meanwhile.
  func obstacle(to core: CoreRef) -> Obstacle? {
    guard !isEmpty else { return nil }
    core.retain()
    var seen = [core]
    var addresses: Set<UInt> = [core.address]
    var found: Obstacle?
    var next = 0
    while found == nil, next < seen.count, next < Self.limit {
      let upstream = seen[next].retainUpstream()
      if !seen[next].state.isResolved { found = obstacle(at: seen[next], waitingFor: upstream) }
      for core in upstream {
        if addresses.insert(core.address).inserted { seen.append(core) } else { core.release() }
      }
      next += 1
    }
    for core in seen { core.release() }
    return found
  }

  private func obstacle(at core: CoreRef, waitingFor upstream: [CoreRef]) -> Obstacle? {
    if steps.contains(core) { return .turn }
    let place = core.placeNow
    if place.isOnMain { return places.contains(.main) ? .main : nil }
    if places.contains(place) { return .queue(place) }
    if place.isImmediate, upstream.contains(where: { served.contains($0) }) { return .turn }
    return nil
  }

  /// What keeps a wait from ending.
  enum Obstacle: Equatable {
    /// A step that runs on the main queue, which waits.
    case main
    /// A step that runs on a queue that waits, if it is a serial one. Dispatch does not tell whether it is.
    case queue(Place)
    /// A step that this thread runs next.
    case turn
  }
}

/// The place of a core that has no source is where its body waits to be run. It owns nothing, and nobody goes there: it is
/// only compared.
extension CoreRef {
  /// The body of a promise is about to be handed over. Nobody else has seen the core.
  func bodyWaits(on context: PromiseContext) {
    if context.isNow { return }
    let place = Place(context)
    // Unsafe: the caller has the handle. The queue is kept by the work that is handed over to it.
    if place.isOnMain || place.isQueue { unsafe pointer.pointee.place.store(place.bits, ordering: .relaxed) }
    place.relinquish()
  }

  /// The body of a promise begins. The caller holds a count.
  func bodyBegins() {
    // Unsafe: the caller's count keeps the memory.
    unsafe pointer.pointee.place.store(Place.immediate.bits, ordering: .relaxed)
  }
}
