import OvermorrowTesting
import TestSupport
import Testing

@testable import Overmorrow
@testable import OvermorrowDiagnostics

/// The search for the nodes of a graph of waits that can end, compared with simple searches that read everything.
@Suite(.heavy) struct WaitSolverTests {
  /// What each node needs; `nil` if it needs nothing. The start is the first node.
  private typealias Graph = [WaitSolver.Needs?]

  /// Returns what a node needs. Every second node names all needed nodes, even if fewer are enough.
  private static func read(_ graph: Graph, _ node: Int, _ first: Int) -> WaitSolver.Needs? {
    graph[node].map { (node.isMultiple(of: 2) ? $0.nodes : Array($0.nodes.prefix(first)), $0.count) }
  }

  // MARK: Promises and tasks

  /// Returns the stuck nodes; `nil` if the start can end, or if there are too many edges. The search reads the nodes in
  /// the order of their distance, and nodes beyond the bound can end.
  private static func stuckNodes(of graph: Graph, _ mostVisited: Int, _ mostEdges: Int) -> Set<Int>? {
    var visits = [0]
    var needs: [WaitSolver.Needs?] = []
    var (index, edges) = (0, 0)
    while index < min(visits.count, mostVisited) {
      needs.append(graph[visits[index]])
      edges += needs[index]?.nodes.count ?? 0
      if edges > mostEdges { return nil }
      for node in needs[index]?.nodes ?? [] where !visits.contains(node) { visits.append(node) }
      index += 1
    }
    var stuck = Set(visits.prefix(index).enumerated().filter { needs[$0.offset] != nil }.map(\.element))
    while let freed = stuck.first(where: { node in
      graph[node].map { needs in needs.nodes.count { !stuck.contains($0) } >= needs.count } ?? true
    }) {
      stuck.remove(freed)
    }
    return stuck.contains(0) ? stuck : nil
  }

  @Test("15.40 the search finds the stuck nodes of a simple search, with the same bounds")
  func randomGraphs() {
    var random = SeededGenerator(seed: 40)
    var (stuckCount, boundedCount) = (0, 0)
    for number in 0..<scaled(100_000) {
      let count = Int.random(in: 1...14, using: &random)
      let going = Double.random(in: 0...0.3, using: &random)
      let graph: Graph = (0..<count).map { _ in
        if Double.random(in: 0...1, using: &random) < going { return nil }
        let most = Bool.random(using: &random) ? 3 : 20
        let length = Int.random(in: 0...most, using: &random)
        let nodes = (0..<length).map { _ in Int.random(in: 0..<count, using: &random) }
        return (nodes, Bool.random(using: &random) ? 1 : Int.random(in: 0...nodes.count + 1, using: &random))
      }
      let edges = graph.reduce(0) { $0 + ($1?.nodes.count ?? 0) }
      let isBounded = Bool.random(using: &random)
      let mostVisited = isBounded ? Int.random(in: 1...count + 1, using: &random) : .max
      let mostEdges = isBounded ? Int.random(in: edges / 2...edges + 1, using: &random) : .max
      let expected = Self.stuckNodes(of: graph, mostVisited, mostEdges)
      let found = WaitSolver.stuck(mostVisited: mostVisited, mostEdges: mostEdges) { Self.read(graph, $0, $1) }
      guard found.map({ Set($0.stuckNodes) }) == expected else {
        Issue.record("graph \(number): \(graph), \(mostVisited) nodes, \(mostEdges) edges: \(expected ?? [])")
        return
      }
      for node in expected ?? [] {
        let needed = graph[node]?.nodes.filter { expected?.contains($0) == true }
        if found?.stuckNeeds(of: node) != needed { Issue.record("graph \(number): the needs of node \(node)") }
      }
      if expected != nil { stuckCount += 1 }
      if expected != Self.stuckNodes(of: graph, .max, .max) { boundedCount += 1 }
    }
    // The graphs are of all kinds.
    #expect(stuckCount > scaled(100_000) / 10)
    #expect(boundedCount > scaled(100_000) / 50)
  }

  // MARK: Holdings

  /// The holdings of each source, and the number that must end; and the sources for which the code in each holding
  /// waits.
  private typealias Holdings = (sources: [(all: [Int], needed: Int)?], waits: [[Int]])

  /// Returns whether a wait for the first source can end: the source needs no holding, or enough of its holdings have
  /// only waits that can end.
  private static func mayEnd(_ holdings: Holdings) -> Bool {
    var going = Set(holdings.sources.indices.filter { holdings.sources[$0] == nil })
    while !going.contains(0) {
      let freed = holdings.sources.indices.filter { index in
        guard !going.contains(index), let source = holdings.sources[index] else { return false }
        return source.all.count { holdings.waits[$0].allSatisfy(going.contains) } >= source.needed
      }
      if freed.isEmpty { return false }
      going.formUnion(freed)
    }
    return true
  }

  @Test("13.15 14.32 the search refuses the waits for holdings that a simple search refuses")
  func randomHoldings() {
    var random = SeededGenerator(seed: 13)
    var refusals = 0
    for number in 0..<scaled(100_000) {
      let (sources, count) = (Int.random(in: 1...6, using: &random), Int.random(in: 1...20, using: &random))
      let waiting = Double.random(in: 0.5...1, using: &random)
      var holdings: Holdings = ([], [])
      for _ in 0..<sources {
        let all = (0..<count).shuffled(using: &random).prefix(Int.random(in: 0...count, using: &random))
        let needed = Bool.random(using: &random) ? 1 : Int.random(in: 0...all.count + 1, using: &random)
        holdings.sources.append(Double.random(in: 0...1, using: &random) < 0.1 ? nil : (Array(all), needed))
      }
      for _ in 0..<count {
        let waits = Double.random(in: 0...1, using: &random) < waiting ? Int.random(in: 1...3, using: &random) : 0
        holdings.waits.append((0..<waits).map { _ in Int.random(in: 0..<sources, using: &random) })
      }
      // Each source is a node, and each holding, which needs the end of all its waits.
      var graph: Graph = holdings.sources.map { source in source.map { ($0.all.map { sources + $0 }, $0.needed) } }
      graph += holdings.waits.map { $0.isEmpty ? nil : ($0, $0.count) }
      let expected = Self.mayEnd(holdings)
      let found = WaitSolver.stuck { node, first in
        graph[node].map { (Array($0.nodes.prefix(first)), $0.count) }
      }
      guard (found == nil) == expected else {
        Issue.record("holdings \(number): \(holdings): \(expected)")
        return
      }
      if !expected { refusals += 1 }
    }
    #expect(refusals > scaled(100_000) / 10)
  }

  // MARK: The cost

  @Test("15.40 13.15 a wait for a source of many nodes reads few of them", arguments: [1, 500, 100_000])
  func cost(width: Int) {
    let source: WaitSolver.Needs = (Array(1...width), 1)
    var (reads, named) = (0, 0)
    let found = WaitSolver.stuck { node, first in
      reads += 1
      if node > 0 { return nil }
      let nodes = source.nodes.prefix(first)
      named += nodes.count
      return (Array(nodes), source.count)
    }
    #expect(found == nil)
    #expect(reads == 2 && named <= 8)
  }
}
