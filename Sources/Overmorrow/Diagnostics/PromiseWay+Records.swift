internal import OvermorrowEngine

extension PromiseWay {
  /// A part of the walk through the records, which goes back in time.
  private enum Visit {
    /// A promise that has the error, and everything before it.
    case way(CoreRecord.Key)
    /// A promise that had no error, and its chain.
    case chain(CoreRecord.Key)
    case part(Part)
  }

  /// Creates the way of a rejected promise from the records; `nil` if the promise has no record any more. The way
  /// begins after the first record that was replaced.
  ///
  /// Each visit reads one record, and there are at most as many visits as the table has records.
  init?(recordsOf last: CoreRecord.Key) {
    if CoreRecord(last) == nil { return nil }
    var (parts, visits) = ([Part](), [Visit.way(last)])
    for _ in 0..<CoreRecord.capacity {
      guard let visit = visits.popLast() else { break }
      switch visit {
      case .part(let part): parts.append(part)
      case .chain(let key):
        guard let record = CoreRecord(key) else { break }
        parts.append(Part(mark: PromiseMark(record)))
        if let source = record.source { visits.append(.chain(source)) }
      case .way(let key):
        guard let record = CoreRecord(key) else { break }
        visits += Self.visits(before: record, &parts)
      }
    }
    for part in parts.reversed() { append(part) }
  }

  /// Adds the part of a promise that has the error. Returns what precedes the part, the earliest visit first.
  private static func visits(before record: CoreRecord, _ parts: inout [Part]) -> [Visit] {
    let mark = PromiseMark(record)
    let source = record.source.map { record.followsError ? Visit.way($0) : .chain($0) }
    if !record.rejects, let adopted = record.adopted {
      parts.append(Part(mark: mark, isAdoption: true))
      return [source, .part(Part(mark: mark)), .way(adopted)].compactMap { $0 }
    }
    let isRejectedHere = record.rejects || record.root != nil
    parts.append(Part(mark: mark, isRejectedHere: isRejectedHere))
    return (isRejectedHere ? source : record.source.map(Visit.way)).map { [$0] } ?? []
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
