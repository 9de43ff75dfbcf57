/// All nodes that can be reached from a first node, found breadth first, and the edges between them.
struct Exploration<Node: Hashable & Sendable, Event: Sendable>: Sendable {
  struct Edge: Sendable {
    let event: Event
    let from: Node
    let to: Node
  }

  /// In the order of discovery, so that the first path found to a node is a shortest one.
  private(set) var nodes: [Node]
  private(set) var edges: [Edge] = []
  private var discoveredBy: [Node: Edge] = [:]

  /// - Parameters:
  ///   - start: The first node.
  ///   - events: The events to try in every node.
  ///   - following: Returns the node that an event leads to, or `nil` if the event is impossible there.
  init(from start: Node, _ events: [Event], _ following: (Node, Event) -> Node?) {
    nodes = [start]
    var seen: Set = [start]
    var next = 0
    while next < nodes.count {
      precondition(nodes.count < 200_000, "the model has too many states to explore")
      for event in events {
        guard let to = following(nodes[next], event) else { continue }
        let edge = Edge(event: event, from: nodes[next], to: to)
        edges.append(edge)
        guard seen.insert(to).inserted else { continue }
        discoveredBy[to] = edge
        nodes.append(to)
      }
      next += 1
    }
  }

  /// Returns a shortest path to a node, for the message of a failure.
  func path(to node: Node) -> [Event] {
    var path: [Event] = []
    var node = node
    while let edge = discoveredBy[node] {
      path.append(edge.event)
      node = edge.from
    }
    return path.reversed()
  }

  /// Returns a shortest path to a node from which no goal can be reached, or `nil`.
  func pathToDeadEnd(_ isGoal: (Node) -> Bool) -> [Event]? {
    var before: [Node: [Node]] = [:]
    for edge in edges { before[edge.to, default: []].append(edge.from) }
    var reaching = Set(nodes.filter(isGoal))
    var waiting = Array(reaching)
    while let node = waiting.popLast() {
      for earlier in before[node] ?? [] where reaching.insert(earlier).inserted { waiting.append(earlier) }
    }
    return nodes.first { !reaching.contains($0) }.map(path)
  }

  /// Returns the first fault that a closure finds in a node, with a shortest path to the node.
  func firstWrongNode(_ isWrong: (Node) -> String?) -> String? {
    for node in nodes {
      if let wrong = isWrong(node) { return "\(wrong) after \(path(to: node)): \(node)" }
    }
    return nil
  }
}
