/// The chains of a timeline, each of which is one fold of the page.
///
/// A chain is a promise that no operator has made, and all steps that are derived from it. A chain is inside the chain
/// that waited for it first: as the promise of a job or of an attempt, as the promise that a callback returned, or as
/// an input of a combinator. So a chain for which several others waited is in one place, and no chain contains itself.
struct TimelineFolds {
  /// One promise.
  struct Row: Equatable {
    /// The index of the promise in the timeline.
    let index: Int
    /// The number of folds around the promise.
    var depth = 0
    /// The number of promises in the fold that the promise begins, without the promise itself.
    var inside = 0
  }

  /// For each promise of the timeline, the index of the first promise of its chain.
  let chains: [Int]
  /// For each first promise of a chain that is inside another chain, the index of the promise that waits for it. `nil`
  /// for other promises.
  let waiting: [Int?]

  init(_ timeline: Timeline) {
    let spans = timeline.spans
    let indices = Dictionary(uniqueKeysWithValues: spans.enumerated().map { ($1.number, $0) })
    var chains = Array(spans.indices)
    // A step has a larger number than its source.
    for index in spans.indices.sorted(by: { spans[$0].number < spans[$1].number }) {
      if let source = spans[index].source.flatMap({ indices[$0] }) { chains[index] = chains[source] }
    }
    var waiting = [Int?](repeating: nil, count: spans.count)
    // For each chain, a chain around it that is nearer to the outermost one, or the chain itself.
    var outer = Array(spans.indices)
    func outermost(_ chain: Int) -> Int {
      var chain = chain
      while outer[chain] != chain {
        outer[chain] = outer[outer[chain]]
        chain = outer[chain]
      }
      return chain
    }
    for wait in timeline.waits {
      guard let index = indices[wait.waiting], let awaited = indices[wait.awaited] else { continue }
      let chain = chains[awaited]
      guard waiting[chain] == nil, outermost(chains[index]) != chain else { continue }
      waiting[chain] = index
      outer[chain] = chains[index]
    }
    (self.chains, self.waiting) = (chains, waiting)
  }

  /// Returns the first `limit` promises in the order of the page: each fold begins with the first promise of its chain.
  /// At the largest depth, a chain is beside the chain that waits for it.
  func rows(limit: Int, depth maxDepth: Int) -> [Row] {
    let count = min(limit, chains.count)
    let parents = parents(count)
    var (roots, inside) = ([Int](), [Int: [Int]]())
    for index in 0..<count {
      if let parent = parents[index] { inside[parent, default: []].append(index) } else { roots.append(index) }
    }
    var rows: [Row] = []
    rows.reserveCapacity(count)
    /// The positions in `rows` of the folds around the next row.
    var open: [Int] = []
    var rest = roots.reversed().map { (index: $0, depth: 0) }
    while let (index, depth) = rest.popLast() {
      open.removeLast(max(0, open.count - depth))
      for position in open { rows[position].inside += 1 }
      rows.append(Row(index: index, depth: depth))
      guard let members = inside[index] else { continue }
      if depth < maxDepth { open.append(rows.count - 1) }
      rest += members.reversed().map { ($0, min(depth + 1, maxDepth)) }
    }
    return rows
  }

  /// For each of the first promises of a timeline, the index of the promise that begins the fold around it, if there is
  /// such a fold.
  private func parents(_ count: Int) -> [Int?] {
    (0..<count).map { index in
      let parent = chains[index] == index ? waiting[index].map { chains[$0] } : chains[index]
      return parent.flatMap { $0 < count ? $0 : nil }
    }
  }
}
