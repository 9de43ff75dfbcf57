/// The place of a core that has no source is where its body waits to be run. It owns nothing, and nobody goes there: it is
/// only compared.
extension CoreRef {
  /// The body of a promise is about to be handed over. Nobody else has seen the core.
  func bodyWaits(on context: PromiseContext) {
    if traits.contains(.checked) { CoreNote.find(self)?.noteBodyWaits(on: context) }
    if context.isNow { return }
    let place = Place(context)
    // The queue is kept by the work that is handed over to it.
    if place.isOnMain || place.isQueue { fields.place.store(place.bits, ordering: .relaxed) }
    place.relinquish()
  }

  /// The body of a promise begins.
  func bodyBegins() { fields.place.store(Place.immediate.bits, ordering: .relaxed) }
}
