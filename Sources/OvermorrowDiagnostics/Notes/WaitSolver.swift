/// A search for the nodes of a graph of waits that can end.
///
/// A node can end if it needs nothing, or if enough of the nodes that it needs can end. Any other node is stuck. A node
/// that is needed twice counts twice. The start has the number 0, and the caller numbers the other nodes.
///
/// The search stops when it knows that the start can end. If the start is stuck, the search has read all nodes that
/// stuck nodes need. Each node is read once, and each need is followed once.
package struct WaitSolver {
  /// The nodes that a node needs, and the number of them that must end before this node ends.
  package typealias Needs = (nodes: [Int], count: Int)

  private struct Node {
    var isRead = false
    /// The needed nodes, and the number of those that were followed.
    var needed: [Int] = []
    var followed = 0
    /// The number of further needed nodes that must be known to be able to end.
    var missing = 0
    /// The nodes that need this node.
    var waiters: [Int] = []

    /// Whether the node is known to be able to end.
    var canEnd: Bool { isRead && missing <= 0 }
  }

  /// The number of nodes that a source with many nodes names first.
  private static var few: Int { 8 }

  private var nodes: [Node] = []
  private var readCount = 0

  /// Returns the search from a start that is stuck; `nil` if the start can end.
  ///
  /// Most starts can end, and few nodes prove it. So the first search goes to the depth, and reads only a few nodes of
  /// each source. If these can end, the cost does not depend on the number of nodes that the source has. A second
  /// search, nearest first, reads everything.
  ///
  /// - Parameters:
  ///   - mostVisited: The largest number of nodes to read. Nodes beyond it count as nodes that can end.
  ///   - mostEdges: The largest number of needs to follow. If there are more, the start counts as one that can end.
  ///   - read: Returns what a node needs; `nil` if it needs nothing. At most the first nodes need be named.
  package static func stuck(
    mostVisited: Int = .max, mostEdges: Int = .max, needs read: (_ node: Int, _ first: Int) -> Needs?
  ) -> WaitSolver? {
    if WaitSolver(stoppingAfter: mostVisited, needs: { read($0, few) }).startCanEnd { return nil }
    var (visited, edges) = (0, 0)
    let search = WaitSolver(nearestFirst: true) { node in
      if visited == mostVisited || edges > mostEdges { return nil }
      let needs = read(node, .max)
      visited += 1
      edges += needs?.nodes.count ?? 0
      return edges > mostEdges ? nil : needs
    }
    return search.startCanEnd || edges > mostEdges ? nil : search
  }

  /// Searches from the start.
  ///
  /// - Parameters:
  ///   - nearestFirst: Whether the nodes are read in the order of their distance. Otherwise, what a node needs is read
  ///     before the next node, and only until the node is known to be able to end.
  ///   - mostRead: The number of nodes after which the search stops.
  ///   - read: Returns what a node needs.
  private init(nearestFirst: Bool = false, stoppingAfter mostRead: Int = .max, needs read: (Int) -> Needs?) {
    self.read(0, read)
    var (open, first) = ([0], 0)
    while !startCanEnd, first < open.count, readCount < mostRead {
      let node = nearestFirst ? open[first] : open[open.count - 1]
      guard nearestFirst || !nodes[node].canEnd, let needed = nextNeed(of: node) else {
        if nearestFirst { first += 1 } else { open.removeLast() }
        continue
      }
      if needed >= nodes.count || !nodes[needed].isRead {
        self.read(needed, read)
        open.append(needed)
      }
      if nodes[needed].canEnd { free(node) } else { nodes[needed].waiters.append(node) }
    }
  }

  private mutating func read(_ node: Int, _ read: (Int) -> Needs?) {
    while nodes.count <= node { nodes.append(Node()) }
    nodes[node].isRead = true
    readCount += 1
    if let needs = read(node) { (nodes[node].needed, nodes[node].missing) = needs }
  }

  /// Follows one more need of a node; `nil` if all were followed.
  private mutating func nextNeed(of node: Int) -> Int? {
    let followed = nodes[node].followed
    guard followed < nodes[node].needed.count else { return nil }
    nodes[node].followed = followed + 1
    return nodes[node].needed[followed]
  }

  /// Records that one more node that a node needs can end, and what follows from this.
  private mutating func free(_ node: Int) {
    var freed = [node]
    while let node = freed.popLast() {
      nodes[node].missing -= 1
      if nodes[node].missing == 0 { freed += nodes[node].waiters }
    }
  }

  /// Whether the start is known to be able to end.
  private var startCanEnd: Bool { nodes[0].canEnd }

  /// The nodes that are stuck.
  package var stuckNodes: [Int] { nodes.indices.filter(isStuck) }

  /// Returns the stuck nodes that a node needs.
  package func stuckNeeds(of node: Int) -> [Int] { nodes[node].needed.filter(isStuck) }

  private func isStuck(_ node: Int) -> Bool { nodes[node].isRead && !nodes[node].canEnd }
}

/// The numbers of the nodes of one search.
package struct NodeNumbers<Node: Identifiable> {
  package private(set) var nodes: [Node]
  private var numbers: [Node.ID: Int]

  /// The start has the number 0.
  package init(start: Node) {
    nodes = [start]
    numbers = [start.id: 0]
  }

  /// Returns the number of a node. A node without a number gets the next one.
  package mutating func number(of node: Node) -> Int {
    if let number = numbers[node.id] { return number }
    numbers[node.id] = nodes.count
    nodes.append(node)
    return nodes.count - 1
  }
}
