internal import OvermorrowEngine

/// The trail of an error before its places are found: the promises of the chain in which the error was made, then each
/// promise that took the error over, in this order. Of a long trail, only the first ``firstLimit`` and the last
/// ``lastLimit`` parts are kept.
struct TrailParts: Sendable {
  struct Part: Sendable {
    let mark: PromiseMark
    /// Whether the promise has adopted the promise before it in the trail.
    var isAdoption = false
    /// Whether the error was made by this promise's code.
    var isRejectedHere = false
  }

  static var firstLimit: Int { 8 }
  static var lastLimit: Int { 24 }

  private(set) var first: [Part] = []
  /// The number of parts that are left out between `first` and `last`.
  private(set) var omitted = 0
  private(set) var last: [Part] = []

  init() {}

  /// Creates a trail from its ends: all its parts, or the first ``firstLimit`` and the last ``lastLimit`` parts.
  init(_ ends: [Part], omitted: Int) {
    for part in ends { append(part) }
    self.omitted = omitted
  }

  var count: Int { first.count + omitted + last.count }

  /// Adds a part, unless trails leave out its promise.
  mutating func append(_ part: Part) {
    if part.mark.isHidden { return }
    if omitted == 0, last.isEmpty, first.count < Self.firstLimit { return first.append(part) }
    if last.count == Self.lastLimit {
      last.removeFirst()
      omitted += 1
    }
    last.append(part)
  }

  mutating func append(_ other: TrailParts) {
    if other.omitted == 0 {
      for part in other.first + other.last { append(part) }
      return
    }
    // The parts before the gap of `other` lie between two gaps now, or they fill up the first parts.
    let total = count + other.count
    if omitted == 0 { first = Array((first + last + other.first).prefix(Self.firstLimit)) }
    last = other.last
    omitted = total - first.count - last.count
  }

  func appending(_ part: Part) -> TrailParts {
    var parts = self
    parts.append(part)
    return parts
  }

  /// This trail, whose last promise has made an error.
  var rejectedAtEnd: TrailParts {
    var parts = self
    if !parts.last.isEmpty {
      parts.last[parts.last.count - 1].isRejectedHere = true
    } else if !parts.first.isEmpty {
      parts.first[parts.first.count - 1].isRejectedHere = true
    }
    return parts
  }

  /// The trail with the places of all parts. Finding the places takes long, so no lock may be held.
  var trail: Trail {
    Trail(entries: Self.entries(first) + Self.entries(last), omitted: omitted, firstCount: first.count)
  }

  /// The lines to print below a report. Empty if the trail contains no more than the report says, or if the calls of
  /// steps are unknown.
  var lines: String { count > 1 && CallStack.isCaptured ? "\n\(trail)" : "" }

  private static func entries(_ parts: [Part]) -> [Trail.Entry] {
    parts.map { part in
      let kind: Trail.Entry.Kind = part.isAdoption ? .adoption : part.mark.isStep ? .step : .promise
      return part.mark.entry(kind, isRejectedHere: part.isRejectedHere)
    }
  }
}
