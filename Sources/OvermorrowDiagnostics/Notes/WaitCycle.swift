internal import OvermorrowEngine

/// A cycle of waits, in words.
struct WaitCycle {
  /// One promise or task of the cycle, or several neighbours that were made at one line.
  private struct Member {
    let label: String
    /// The site of the chain and the name of the promise; `nil` if neither is known.
    let origin: String?
    /// Whether the member is running code, whose name is printed even if a neighbour was made at the same line.
    let isWork: Bool
    /// What the member waits for, in words.
    var clause: String

    /// Returns this member and the next one as one member if they have one origin. Promises whose origin is unknown
    /// count as one member, because their lines would say nothing. Running code keeps a line of its own then.
    func merged(with next: Member) -> Member? {
      guard origin == next.origin, !isWork || !next.isWork else { return nil }
      if origin == nil, isWork || next.isWork { return nil }
      return Member(
        label: isWork ? label : next.label, origin: origin, isWork: isWork || next.isWork, clause: next.clause)
    }
  }

  /// The origin of the first promise of the cycle that has one.
  let origin: String?
  /// One sentence for each wait. Of a long cycle, the first sentences, and then the number of the others.
  let links: [String]

  /// The largest number of texts in ``links``.
  static var mostLinks: Int { 20 }

  /// - Parameter nodes: The nodes, each of which waits for the next one, and for what each node waits in words.
  init(_ nodes: [(node: WaitNode, clause: String)]) {
    var members: [Member] = []
    var all: [(node: WaitNode, clause: String)] = []
    for (index, each) in nodes.enumerated() {
      all.append(each)
      for node in each.node.chain(to: nodes[(index + 1) % nodes.count].node) { all.append((node, "waits for")) }
    }
    for (index, (node, clause)) in all.enumerated() {
      let (label, origin, isWork) = node.naming(after: all[(index + all.count - 1) % all.count].node)
      let member = Member(label: label, origin: origin, isWork: isWork, clause: clause)
      if let merged = members.last?.merged(with: member) {
        members[members.count - 1] = merged
      } else {
        members.append(member)
      }
    }
    if members.count > 1, let merged = members.last?.merged(with: members[0]) {
      members[members.count - 1] = merged
      members.removeFirst()
    }
    origin =
      nodes.lazy.compactMap { $0.node.note?.namedSite }.first ?? members.lazy.compactMap(\.origin).first
    let shown = members.count > Self.mostLinks ? Self.mostLinks - 1 : members.count
    let links = members.indices.prefix(shown).map { index in
      let next = members[(index + 1) % members.count]
      return "\(members[index].label) \(members[index].clause) \(members.count == 1 ? "itself" : next.label)"
    }
    self.links = links + (shown == members.count ? [] : ["and \(members.count - shown) more"])
  }
}

extension WaitNode {
  /// The largest number of promises that are visited between two nodes.
  private static var longestChain: Int { 200 }

  /// Returns the promises between this node and the next one. A search for a cycle does not make them nodes.
  fileprivate func chain(to next: WaitNode) -> [WaitNode] {
    guard case .promise(let kept) = kind, case .promise = next.kind else { return [] }
    var (chain, core) = ([WaitNode](), kept)
    for _ in 0..<Self.longestChain {
      let sources = core.core.upstream()
      guard sources.all.count == 1, let source = sources.all.first else { return [] }
      let node = withExtendedLifetime(sources) { WaitNode(source) }
      if node.id == next.id { return chain }
      chain.append(node)
      core = KeptCore(source)
    }
    return []
  }

  var note: PromiseNote? {
    if case .promise(let kept) = kind { PromiseNote.find(kept.core) } else { nil }
  }

  /// The node in words, its origin, and whether the node is a job or a load. A task has that of the promise that it
  /// resolves.
  ///
  /// - Parameter previous: The node that waits for this node.
  fileprivate func naming(after previous: WaitNode) -> (label: String, origin: String?, isWork: Bool) {
    if case .queue(let wait) = kind { return (wait.label, nil, true) }
    var (note, isOwnTask) = (note, false)
    if case .task(let number) = kind, let waiter = previous.note, waiter.task == number {
      (note, isOwnTask) = (waiter, true)
    }
    guard let note else {
      guard case .task(let number) = self.kind else { return ("a promise", nil, false) }
      let calls = TaskCall.naming(number)
      return (calls.map { "the task in \($0.text)" } ?? "a task", calls?.place, true)
    }
    let kind: String? =
      switch note.producer {
      case .job: "the job"
      case .load, .asyncLoad: "the load"
      default: nil
      }
    let parts = [kind ?? "the promise", note.name.map { "\"\($0)\"" }, note.site.text.map { "made at \($0)" }]
    return (parts.compactMap { $0 }.joined(separator: " "), note.namedSite, kind != nil && !isOwnTask)
  }
}
