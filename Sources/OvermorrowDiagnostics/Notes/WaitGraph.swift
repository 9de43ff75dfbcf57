package import OvermorrowEngine

/// The graph of waits: which promise or task waits for which others, through steps, adoptions, `await`, and sources
/// such as limiters, and which queue a blocking wait keeps.
///
/// There is no list of the edges. A search reads the links of the cores, the notes of watched promises and the waits of
/// the tasks when an edge may have closed a cycle (`Documentation/0024`).
package enum WaitGraph {
  /// The largest number of nodes that a search visits. Nodes beyond it count as work that goes on.
  private static var mostVisited: Int { 1000 }
  /// The largest number of edges that a search visits.
  private static var mostEdges: Int { 10_000 }
  /// The largest number of inputs of a combinator in a cycle. A combinator with more counts as work that goes on.
  fileprivate static var mostInputs: Int { 1000 }

  /// Reports a cycle that contains a core that has adopted another core, or has begun to wait for another core.
  package static func check(adopter core: CoreRef, of inner: CoreRef) {
    // Most adopted promises wait for nothing that the graph contains. One node of a source is enough to know this.
    var visits = WaitVisits()
    if inner.state.isResolved || WaitNode(inner).needs(stoppingAt: .promise(core.address), first: 1, &visits) == nil {
      return
    }
    check(from: WaitNode(core))
  }

  /// Reports a cycle that contains the start, if no node of the cycle can end. Each edge exists before its search, so
  /// several searches may find a cycle. It is reported once.
  ///
  /// If the start waits for a source with many nodes, such as a limiter, and the first nodes of the source can end, the
  /// cost does not depend on the number of nodes.
  package static func check(from start: WaitNode) {
    guard let search = WaitSearch(from: start, mostVisited, mostEdges), let cycle = search.cycle, search.keepsQueues,
      TaskWaits.takeReport(of: search.cycleNodes)
    else { return }
    Diagnostics.report(.deadlock(origin: cycle.origin, cycle: cycle.links))
  }
}

/// The number of cores that a search may still visit. A visit adds a count to a core, and may give the core a side
/// table, so the number of visits has a limit. Cores beyond it count as work that goes on.
private struct WaitVisits {
  private var rest = 20_000

  /// Counts a visit; returns `false` if there were too many.
  mutating func take() -> Bool {
    rest -= 1
    return rest >= 0
  }
}

/// A search for a cycle of waits, from a start that is stuck.
private struct WaitSearch {
  private let solver: WaitSolver
  private let nodes: [WaitNode]
  /// What each stuck node needs.
  private var needs: [Int: WaitNeeds] = [:]

  /// Returns `nil` if the start can end.
  init?(from start: WaitNode, _ mostVisited: Int, _ mostEdges: Int) {
    var (numbers, needs, visits) = (NodeNumbers(start: start), [Int: WaitNeeds](), WaitVisits())
    let solver = WaitSolver.stuck(mostVisited: mostVisited, mostEdges: mostEdges) { node, first in
      // One edge more than the limit ends the search.
      needs[node] = numbers.nodes[node].needs(stoppingAt: start.id, first: min(first, mostEdges + 1), &visits)
      return needs[node].map { ($0.nodes.map { numbers.number(of: $0) }, $0.count) }
    }
    guard let solver else { return nil }
    (self.solver, self.needs, nodes) = (solver, needs, numbers.nodes)
  }

  /// The shortest way from the start to the start through stuck nodes; `nil` if there is none.
  private var way: [Int]? {
    var previous: [Int: Int] = [:]
    var (open, next) = ([0], 0)
    while next < open.count {
      let node = open[next]
      for needed in solver.stuckNeeds(of: node) {
        if needed == 0 {
          return Array(sequence(first: node) { $0 == 0 ? nil : previous[$0] }).reversed()
        }
        if previous[needed] == nil {
          previous[needed] = node
          open.append(needed)
        }
      }
      next += 1
    }
    return nil
  }

  /// The nodes of the cycle, if there is one.
  var cycleNodes: [WaitNode] { (way ?? []).map { nodes[$0] } }

  /// The cycle, if there is one.
  var cycle: WaitCycle? {
    guard let way, !way.allSatisfy({ needs[$0]?.isLink == true }), isStill else { return nil }
    return WaitCycle(way.map { (nodes[$0], needs[$0]?.clause ?? "waits for") })
  }

  /// Whether the blocking waits of the cycle keep their queues for ever. If this is not known, the search is repeated
  /// when it is known.
  var keepsQueues: Bool {
    let waits = cycleNodes.compactMap { if case .queue(let wait) = $0.kind { wait } else { nil } }
    return waits.map { $0.keepsQueue() }.allSatisfy { $0 }
  }

  /// Whether all stuck nodes still need the same nodes. The edges were read one after another. If all of them are read
  /// again and are the same, they all existed at one time.
  private var isStill: Bool {
    var visits = WaitVisits()
    return solver.stuckNodes.allSatisfy { node in
      guard let now = nodes[node].needs(stoppingAt: nodes[0].id, &visits), let old = needs[node] else { return false }
      return now.count == old.count && now.nodes.map(\.id) == old.nodes.map(\.id)
    }
  }
}

extension WaitNode {
  /// The largest number of promises that are visited along a chain.
  private static var longestChain: Int { 200 }

  /// Returns what must end before this node ends; `nil` if the node may end in another way.
  ///
  /// - Parameters:
  ///   - start: The node at which a chain of promises ends.
  ///   - first: The number of nodes of a source, or of inputs of a combinator, that are enough.
  ///   - visits: The number of cores that may still be visited.
  fileprivate func needs(stoppingAt start: ID, first: Int = .max, _ visits: inout WaitVisits) -> WaitNeeds? {
    switch kind {
    case .promise(let kept): Self.needs(of: kept.core, stoppingAt: start, first, &visits)
    case .task(let number):
      switch TaskWaits.wait(of: number) {
      case .promise(let kept, let step): step.isSpent ? nil : WaitNeeds([WaitNode(kept.core)])
      case .source(let source): source.needs(first: first)
      case .child(let task): WaitNeeds([WaitNode(task: task)])
      case nil: nil
      }
    case .queue(let wait): wait.needs
    }
  }

  /// Follows a chain of promises up to its first promise, to several inputs, or to the start.
  private static func needs(
    of first: CoreRef, stoppingAt start: ID, _ most: Int, _ visits: inout WaitVisits
  ) -> WaitNeeds? {
    var kept = OwnedCores()
    var core = first
    for _ in 0..<longestChain {
      if !visits.take() || core.state.isResolved || startsMoreInputs(core) { return nil }
      let sources = kept.keep(core.upstream(unresolved: min(most, WaitGraph.mostInputs + 1)))
      if let needs = blockedNeeds(of: core, waitingFor: sources) {
        return core == first ? needs : WaitNeeds(links: [core])
      }
      // A timeout may resolve the promise in another way.
      if core.traits.contains(.resolvesBeforeSource) { return nil }
      let inputs = core.inputs
      // All inputs are resolved. A promise that has got no input yet may have a source.
      if sources.isEmpty, inputs?.hasSteps == true { return nil }
      guard let source = sources.first else {
        guard let needs = rootNeeds(of: core, most) else { return nil }
        // The first promise of a chain is a node of its own, because it has a place of its own.
        return core == first ? needs : WaitNeeds(links: [core])
      }
      if inputs != nil {
        // So is a combinator.
        if core != first { return WaitNeeds(links: [core]) }
        // One input may decide alone. So the promise is stuck only if all its unresolved inputs are stuck. Most inputs
        // wait for nothing that the graph contains, and one of them is enough to know that the promise can end.
        if sources.count > WaitGraph.mostInputs || needs(of: source, stoppingAt: start, most, &visits) == nil {
          return nil
        }
        return WaitNeeds(links: sources)
      }
      if source.state.isResolved { return nil }
      if .promise(source.address) == start { return WaitNeeds(links: [source]) }
      core = source
    }
    return nil
  }

  /// Whether a core is a combinator that can start another input.
  private static func startsMoreInputs(_ core: CoreRef) -> Bool {
    guard core.inputs != nil, let note = PromiseNote.find(core), note.producer == .boundedInputs else { return false }
    return (note.waitSource as? any InputSource)?.waitsForInputs != true
  }

  /// Returns what must end before a promise is resolved, if a blocking wait keeps its callback from ending or from
  /// beginning.
  private static func blockedNeeds(of core: CoreRef, waitingFor sources: [CoreRef]) -> WaitNeeds? {
    guard BlockedWait.exists else { return nil }
    if let wait = PromiseNote.find(core)?.waitSource as? BlockedWait {
      return wait.needs(clause: "is blocked in its callback")
    }
    guard core.isWaiting, core.needsPlace(waitingFor: sources.first), let wait = BlockedWait.blocking(core.place) else {
      return nil
    }
    var nodes = [WaitNode(queueOf: wait)]
    if core.inputs == nil, !core.traits.contains(.resolvesBeforeSource), let source = sources.first,
      !source.state.isResolved
    {
      nodes.append(WaitNode(source))
    }
    return WaitNeeds(nodes, count: nodes.count)
  }

  /// Returns what must end before a promise without a source is resolved.
  private static func rootNeeds(of core: CoreRef, _ most: Int) -> WaitNeeds? {
    guard let note = PromiseNote.find(core), !core.state.isResolved else { return nil }
    if let task = note.task { return WaitNeeds([WaitNode(task: task)]) }
    return note.waitSource?.needs(first: most)
  }
}
