internal import OvermorrowEngine

/// One error. The notes of all promises that have the error share this object.
final class FollowedError: Sendable {
  private let site: CallSite
  private let origin: PromiseOrigin?
  private let name: String?
  private let state = Guarded(State())

  private struct State {
    var holders = 1
    var isObserved = false
    var trailParts: TrailParts?
  }

  init(_ site: CallSite, _ origin: PromiseOrigin?, name: String?) {
    self.site = site
    self.origin = origin
    self.name = name
  }

  /// The origin of the first promise that had the error, and its name; `nil` if neither is known.
  var namedOrigin: String? { CallSite.origin(origin?.text ?? site.text, name: name) }

  var isObserved: Bool { state.withLock { $0.isObserved } }

  func observe() { state.withLock { $0.isObserved = true } }

  /// The trail to the newest promise that took over the error; `nil` if no promise took it over.
  var trailParts: TrailParts? {
    get { state.withLock { $0.trailParts } }
    set {
      let old = state.withLock { state in
        defer { state.trailParts = newValue }
        return state.trailParts
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Adds a promise that has the error. The caller retains a promise that was added before.
  func retain() { state.withLock { $0.holders += 1 } }

  /// Removes a promise that had the error. Returns `true` if it was the last such promise and no code has read the
  /// error.
  @discardableResult
  func release() -> Bool {
    state.withLock { state in
      state.holders -= 1
      return state.holders == 0 && !state.isObserved
    }
  }
}
