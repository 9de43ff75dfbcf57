internal import OvermorrowEngine

extension CoreRef {
  /// Records that the body of a promise is about to be submitted to a context. No other thread can resolve the core
  /// yet.
  func bodyWaits(on context: PromiseContext) {
    if traits.contains(.checked) { CoreNote.find(self)?.noteBodyWaits(on: context.shownName) }
    if context.isNow { return }
    let place = Place(context)
    // An executor may drop the body. No code compares other places than queues.
    if place.isOnMain || place.isQueue { keepPlace(place) } else { place.relinquish() }
  }
}
