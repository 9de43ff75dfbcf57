/// Every node that can be reached from a first one, breadth first, with what happens on the way.
struct Exploration<Node: Hashable & Sendable, Event: Sendable>: Sendable {
  struct Edge: Sendable {
    let event: Event
    let from: Node
    let to: Node
  }

  /// In the order in which they were found: the first path to a node is a shortest one.
  private(set) var nodes: [Node]
  private(set) var edges: [Edge] = []
  private var cameBy: [Node: Edge] = [:]

  /// - Parameters:
  ///   - start: The first node.
  ///   - events: What may happen in a node.
  ///   - following: Where that leads, if it can happen there.
  init(from start: Node, _ events: [Event], _ following: (Node, Event) -> Node?) {
    nodes = [start]
    var seen: Set = [start]
    var next = 0
    while next < nodes.count {
      precondition(nodes.count < 200_000, "the space to explore does not close")
      for event in events {
        guard let to = following(nodes[next], event) else { continue }
        let edge = Edge(event: event, from: nodes[next], to: to)
        edges.append(edge)
        guard seen.insert(to).inserted else { continue }
        cameBy[to] = edge
        nodes.append(to)
      }
      next += 1
    }
  }

  /// A shortest way to a node, to be shown when something is wrong there.
  func path(to node: Node) -> [Event] {
    var path: [Event] = []
    var node = node
    while let edge = cameBy[node] {
      path.append(edge.event)
      node = edge.from
    }
    return path.reversed()
  }

  /// A shortest way to a node from which no goal can be reached.
  func wayToDeadEnd(_ isGoal: (Node) -> Bool) -> [Event]? {
    var before: [Node: [Node]] = [:]
    for edge in edges { before[edge.to, default: []].append(edge.from) }
    var reaching = Set(nodes.filter(isGoal))
    var waiting = Array(reaching)
    while let node = waiting.popLast() {
      for earlier in before[node] ?? [] where reaching.insert(earlier).inserted { waiting.append(earlier) }
    }
    return nodes.first { !reaching.contains($0) }.map(path)
  }

  /// What is wrong with a node, as told by a closure, with a shortest way to it.
  func firstWrongNode(_ isWrong: (Node) -> String?) -> String? {
    for node in nodes {
      if let wrong = isWrong(node) { return "\(wrong) after \(path(to: node)): \(node)" }
    }
    return nil
  }
}
