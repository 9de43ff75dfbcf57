/// In a core without a source, `place` is the place on which the body of the promise waits to run. This place retains
/// nothing, and is only compared with other places.
extension CoreRef {
  /// Records that the body of a promise is about to be submitted to a place. The core is not shared yet.
  func bodyWaits(on place: Place) {
    // The submitted work retains the queue, so the place need not retain it.
    if place.isOnMain || place.isQueue { fields.place.store(place.bits, ordering: .relaxed) }
  }

  /// Records that the body of a promise begins.
  func bodyBegins() { fields.place.store(Place.immediate.bits, ordering: .relaxed) }
}
