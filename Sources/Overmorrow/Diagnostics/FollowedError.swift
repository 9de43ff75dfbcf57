/// One error, shared by the notes of all promises that have it.
final class FollowedError: Sendable {
  private let site: CallSite
  private let origin: PromiseOrigin?
  private let state = Guarded((holders: 1, isObserved: false))

  init(_ site: CallSite, _ origin: PromiseOrigin?) {
    self.site = site
    self.origin = origin
  }

  /// Where the promise was made that the error comes from.
  var place: String? { origin?.text ?? site.text }

  /// Whether something has looked at it.
  var isObserved: Bool { state.withLock { $0.isObserved } }

  func observe() { state.withLock { $0.isObserved = true } }

  /// One more promise has the error. The caller knows one that has it.
  func retain() { state.withLock { $0.holders += 1 } }

  /// One promise less has the error; `true` if it was the last one, and nothing has looked.
  @discardableResult
  func release() -> Bool {
    state.withLock { state in
      state.holders -= 1
      return state.holders == 0 && !state.isObserved
    }
  }
}
