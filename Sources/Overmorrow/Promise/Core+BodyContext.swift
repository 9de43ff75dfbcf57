extension CoreRef {
  /// Records that the body of a promise is about to be submitted to a context. The core is not shared yet.
  func bodyWaits(on context: PromiseContext) {
    if traits.contains(.checked) { CoreNote.find(self)?.noteBodyWaits(on: context.shownName) }
    if context.isNow { return }
    let place = Place(context)
    bodyWaits(on: place)
    place.relinquish()
  }
}
