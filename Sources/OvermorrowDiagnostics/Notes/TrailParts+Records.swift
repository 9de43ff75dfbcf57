internal import OvermorrowEngine

extension TrailParts {
  /// A part of the walk through the records, which goes back in time.
  private enum Visit {
    /// A promise that has the error, and everything before it.
    case trail(CoreRecord.Key)
    /// A promise that had no error, and its chain.
    case chain(CoreRecord.Key)
    case part(Found)
  }

  /// A part whose mark was not made yet.
  private struct Found {
    let record: CoreRecord
    var isAdoption = false
    var isRejectedHere = false

    var part: Part { Part(mark: PromiseMark(record), isAdoption: isAdoption, isRejectedHere: isRejectedHere) }
  }

  /// The ends of the trail that was walked so far, the last part first. The walk goes to the beginning of the trail,
  /// because the trail has the first parts. Only the parts that the trail has are kept.
  private struct Ends {
    private var (first, last) = ([Found](), [Found]())
    private var omitted = 0

    mutating func add(_ part: Found) {
      if last.count < TrailParts.lastLimit { return last.append(part) }
      if first.count == TrailParts.firstLimit {
        first.removeFirst()
        omitted += 1
      }
      first.append(part)
    }

    var parts: TrailParts { TrailParts((last + first).reversed().map(\.part), omitted: omitted) }
  }

  /// Creates the trail of a rejected promise from the records; `nil` if the promise has no record any more. The trail
  /// begins after the first record that was replaced.
  ///
  /// Each visit reads one record, and there are at most as many visits as the table has records. A mark is made only
  /// for the parts that the trail keeps.
  init?(recordsOf last: CoreRecord.Key) {
    if CoreRecord(last) == nil { return nil }
    var (ends, visits) = (Ends(), [Visit.trail(last)])
    for _ in 0..<CoreRecord.capacity {
      guard let visit = visits.popLast() else { break }
      switch visit {
      case .part(let part): ends.add(part)
      case .chain(let key):
        guard let record = CoreRecord(key) else { break }
        ends.add(Found(record: record))
        if let source = record.source { visits.append(.chain(source)) }
      case .trail(let key):
        guard let record = CoreRecord(key) else { break }
        visits += Self.visits(before: record, &ends)
      }
    }
    self = ends.parts
  }

  /// Adds the part of a promise that has the error. Returns what precedes the part, the earliest visit first.
  private static func visits(before record: CoreRecord, _ ends: inout Ends) -> [Visit] {
    let source = record.source.map { record.followsError ? Visit.trail($0) : .chain($0) }
    if !record.rejects, let adopted = record.adopted {
      ends.add(Found(record: record, isAdoption: true))
      return [source, .part(Found(record: record)), .trail(adopted)].compactMap { $0 }
    }
    let isRejectedHere = record.rejects || record.root != nil
    ends.add(Found(record: record, isRejectedHere: isRejectedHere))
    return (isRejectedHere ? source : record.source.map(Visit.trail)).map { [$0] } ?? []
  }
}

extension PromiseMark {
  convenience init(_ record: CoreRecord) {
    let root = record.root
    let place = PromiseOrigin {
      root.flatMap { CallSite.isOwn(file: $0.file) ? nil : "\($0.file):\($0.line)" }
    }
    self.init(
      CallSite(#fileID, 0), origin: place,
      isStep: root == nil, context: nil, name: nil,
      producer: root.flatMap { ProducerKind(rawValue: $0.producer) } ?? .resolver,
      calls: record.calls)
  }
}
