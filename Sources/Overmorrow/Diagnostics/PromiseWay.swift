internal import OvermorrowEngine

/// The way of an error: the promises of the chain in which it was made, then each promise that took the error over, in
/// this order. Of a long way, only the first ``firstLimit`` and the last ``lastLimit`` parts are kept.
struct PromiseWay: Sendable {
  struct Part: Sendable {
    let mark: PromiseMark
    /// Whether the promise has adopted the promise before it in the way.
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

  /// Creates a way from its ends: all its parts, or the first ``firstLimit`` and the last ``lastLimit`` parts.
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

  mutating func append(_ way: PromiseWay) {
    if way.omitted == 0 {
      for part in way.first + way.last { append(part) }
      return
    }
    // The parts before the gap of `way` lie between two gaps now, or they fill up the first parts.
    let total = count + way.count
    if omitted == 0 { first = Array((first + last + way.first).prefix(Self.firstLimit)) }
    last = way.last
    omitted = total - first.count - last.count
  }

  func appending(_ part: Part) -> PromiseWay {
    var way = self
    way.append(part)
    return way
  }

  /// This way, whose last promise has made an error.
  var rejectedAtEnd: PromiseWay {
    var way = self
    if !way.last.isEmpty {
      way.last[way.last.count - 1].isRejectedHere = true
    } else if !way.first.isEmpty {
      way.first[way.first.count - 1].isRejectedHere = true
    }
    return way
  }

  /// The trail with the places of all parts. Finding the places takes long, so no lock may be held.
  var trail: PromiseTrail {
    PromiseTrail(entries: Self.entries(first) + Self.entries(last), omitted: omitted, firstCount: first.count)
  }

  /// The lines to print below a report. Empty if the way contains no more than the report says, or if the calls of
  /// steps are unknown.
  var lines: String { count > 1 && CallStack.isCaptured ? "\n\(trail)" : "" }

  private static func entries(_ parts: [Part]) -> [PromiseTrail.Entry] {
    parts.map { part in
      let kind: PromiseTrail.Entry.Kind = part.isAdoption ? .adoption : part.mark.isStep ? .step : .promise
      return part.mark.entry(kind, isRejectedHere: part.isRejectedHere)
    }
  }
}
