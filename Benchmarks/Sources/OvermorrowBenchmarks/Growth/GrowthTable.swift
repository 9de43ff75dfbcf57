import Foundation

/// Measures the cost of one object for increasing numbers of objects.
struct GrowthTable {
  let growths: [Growth]
  let rounds: Int
  /// The numbers of objects at a time.
  let counts: [Int]
  /// The number of objects above which a round is long. Larger numbers are measured in a third of the rounds.
  private let long = 100_000

  /// Returns the costs of each kind, by name. The kinds are measured in turn, so that other load of the machine affects
  /// all of them alike.
  func measure() -> [String: [GrowthCost]] {
    var costs: [String: [GrowthCost]] = [:]
    for count in counts {
      // This also warms up.
      let bytes = growths.map { self.bytes($0, count) }
      var times: [String: [Double]] = [:]
      for _ in 0..<(count > long ? max(1, rounds / 3) : rounds) {
        for growth in growths { times[growth.name, default: []].append(time(growth, count)) }
      }
      for (growth, bytes) in zip(growths, bytes) {
        let nanoseconds = times[growth.name]?.median ?? .nan
        costs[growth.name, default: []].append(GrowthCost(count: count, nanoseconds: nanoseconds, bytes: bytes))
      }
    }
    return costs
  }

  private func time(_ growth: Growth, _ count: Int) -> Double {
    let groups = groups(growth, count)
    return ProcessorTime.measure { for _ in 0..<groups { growth.begin(count)() } } / Double(groups * count)
  }

  private func groups(_ growth: Growth, _ count: Int) -> Int { max(1, growth.atLeast / count) }

  /// Returns the bytes of one object, measured with many groups of `count` objects; `nil` if the objects do not stay.
  private func bytes(_ growth: Growth, _ count: Int) -> Double? {
    let groups = groups(growth, count)
    var ends: [() -> Void] = []
    ends.reserveCapacity(groups)
    let before = Heap.bytes
    for _ in 0..<groups { ends.append(growth.begin(count)) }
    let after = Heap.bytes
    while let end = ends.popLast() { end() }
    guard growth.isKept, let before, let after else { return nil }
    return Double(after - before) / Double(groups * count)
  }

  // MARK: Printing

  func print(_ costs: [String: [GrowthCost]]) {
    Swift.print("nanoseconds of processor time to make and end one; medians of \(rounds) rounds")
    table(costs) { $0.nanoseconds.text() }.print()
    if costs.values.contains(where: { $0.contains { $0.bytes != nil } }) {
      Swift.print("\nbytes on the heap for one while it is pending")
      table(costs) { $0.bytes?.text() ?? "" }.print()
    }
  }

  private func table(_ costs: [String: [GrowthCost]], _ text: (GrowthCost) -> String) -> TextTable {
    var table = TextTable()
    table.append(["number"] + counts.map(\.description))
    for growth in growths { table.append([growth.name] + (costs[growth.name] ?? []).map(text)) }
    return table
  }

  // MARK: Writing

  private struct Report: Encodable {
    let rounds: Int
    let kinds: [Kind]

    struct Kind: Encodable {
      let name: String
      let costs: [GrowthCost]
    }
  }

  func write(_ costs: [String: [GrowthCost]], to file: String) throws {
    let report = Report(
      rounds: rounds, kinds: growths.map { Report.Kind(name: $0.name, costs: costs[$0.name] ?? []) })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(report).write(to: URL(filePath: file))
  }
}
