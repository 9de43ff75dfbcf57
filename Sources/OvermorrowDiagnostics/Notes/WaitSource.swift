package import OvermorrowEngine

/// An object that ends a wait of a promise or of a task when other work has ended, such as the place of a job in the
/// queue of a limiter.
package protocol WaitSource: AnyObject, Sendable {
  /// The work that must end before the wait ends; `nil` if the wait may end in another way.
  var needs: WaitNeeds? { get }
  /// The same, but with at most the first `count` nodes. A source with many nodes implements this.
  func needs(first count: Int) -> WaitNeeds?
}

extension WaitSource {
  package func needs(first count: Int) -> WaitNeeds? { needs }
}

/// An object that starts the inputs of a combinator one after another.
package protocol InputSource: WaitSource {
  /// Whether nothing happens before one of the inputs in flight has ended.
  var waitsForInputs: Bool { get }
}

extension InputSource {
  package var needs: WaitNeeds? { nil }
}

/// The work that a wait needs.
package struct WaitNeeds: Sendable {
  let nodes: [WaitNode]
  /// The number of nodes that must end before the wait ends.
  let count: Int
  /// What the wait is for, in words. The name of a node follows.
  let clause: String
  /// Whether the wait is a link between two promises. The engine finds the cycles that consist only of links.
  var isLink = false

  package init(_ nodes: [WaitNode], count: Int = 1, clause: String = "waits for") {
    self.nodes = nodes
    self.count = count
    self.clause = clause
  }
}

extension WaitNeeds {
  /// Creates the needs of a promise that waits for one of several others. Each core has a handle or a count.
  init(links cores: [CoreRef]) {
    self.init(cores.map { WaitNode($0) })
    isLink = true
  }
}

/// A node of the graph of waits: a promise, a task, or a queue that a blocking wait keeps.
package struct WaitNode: Identifiable, Sendable {
  enum Kind: Sendable {
    case promise(KeptCore)
    case task(Int)
    case queue(BlockedWait)
  }

  let kind: Kind

  /// - Parameter number: The number of a task.
  package init(task number: Int) { kind = .task(number) }

  /// The caller has the handle of the core or a count on the core.
  package init(_ core: CoreRef) { kind = .promise(KeptCore(core)) }

  init(queueOf wait: BlockedWait) { kind = .queue(wait) }

  /// A value that identifies the node while the node exists.
  package enum ID: Hashable {
    case promise(UInt)
    case task(Int)
    case queue(ObjectIdentifier)
  }

  package var id: ID {
    switch kind {
    case .promise(let kept): .promise(kept.core.address)
    case .task(let number): .task(number)
    case .queue(let wait): .queue(ObjectIdentifier(wait))
    }
  }

  /// The blocking wait of which the node is a part: of a queue, of a callback or of a task.
  var blockedWait: BlockedWait? {
    switch kind {
    case .promise: note?.waitSource as? BlockedWait
    case .task(let number):
      if case .source(let source) = TaskWaits.wait(of: number) { source as? BlockedWait } else { nil }
    case .queue(let wait): wait
    }
  }
}

/// One count on a core, in an object that can be copied.
final class KeptCore: Sendable {
  private let count: Owned

  init(_ core: CoreRef) { count = Owned(core) }

  var core: CoreRef { count.core }
}

/// A weak reference to a source.
struct WeakWaitSource: Sendable {
  weak let source: (any WaitSource)?
  let id: ObjectIdentifier

  init(_ source: any WaitSource) {
    self.source = source
    id = ObjectIdentifier(source)
  }
}

/// What the tasks of the program wait for. A task waits for one thing at a time.
package enum TaskWaits {
  enum Wait: Sendable {
    /// The task waits for a promise through a step.
    case promise(KeptCore, step: WeakCore)
    case source(any WaitSource)
    /// The task waits for a child task.
    case child(Int)
  }

  private static let waits = Guarded<[Int: (number: UInt, wait: Wait, isReported: Bool)]>([:])

  /// Returns what a task waits for; `nil` if this is not known.
  static func wait(of task: Int) -> Wait? { waits.withLock { $0[task]?.wait } }

  /// Returns the number of the step through which a task waits for a promise; `nil` if it waits through none.
  static func step(of task: Int) -> Int? {
    waits.withLock { waits in
      guard let wait = waits[task], case .promise = wait.wait else { return nil }
      return Int(wait.number)
    }
  }

  /// Returns whether a cycle of these nodes is to be reported. Returns `false` if the wait of one of its tasks has
  /// ended, or if a node is in a cycle that was reported before.
  static func takeReport(of nodes: [WaitNode]) -> Bool {
    let notes = nodes.compactMap(\.note)
    let tasks = nodes.compactMap { if case .task(let number) = $0.kind { number } else { nil } }
    let blocked = nodes.compactMap(\.blockedWait)
    return waits.withLock { waits in
      guard tasks.allSatisfy({ waits[$0]?.isReported == false }), !notes.contains(where: \.isInReportedCycle),
        !blocked.contains(where: \.isReported)
      else { return false }
      for task in tasks { waits[task]?.isReported = true }
      for note in notes { note.noteReportedCycle() }
      for wait in blocked { wait.isReported = true }
      return true
    }
  }

  /// Records a wait of a task.
  ///
  /// - Parameter number: A number for ``end(_:_:)``, which must follow.
  static func begin(_ wait: Wait, of task: Int, _ number: UInt) {
    // The old wait is released after unlocking, because the release may run user code.
    let old = waits.withLock { waits in waits.updateValue((number, wait, false), forKey: task) }
    withExtendedLifetime(old) {}
  }

  /// Removes a wait of a task, unless the task has begun another wait.
  static func end(_ task: Int, _ number: UInt) {
    let old = waits.withLock { waits in
      waits[task]?.number == number ? waits.removeValue(forKey: task) : nil
    }
    withExtendedLifetime(old) {}
  }

  private static let lastNumber = Guarded<UInt>(0)

  /// Returns a number for a wait that no step makes. These numbers count down from the largest number. The other waits
  /// have the numbers of their steps' notes, which count up.
  private static func nextNumber() -> UInt {
    lastNumber.withLock { number in
      number &+= 1
      return ~number
    }
  }

  /// Records that the current task waits for a source, and reports the cycle if this wait closes one.
  ///
  /// - Returns: A closure that ends the wait; `nil` if nothing was recorded.
  package static func begin(for source: any WaitSource) -> (@Sendable () -> Void)? { begin(.source(source)) }

  /// Records that the current task waits for a child task.
  ///
  /// - Returns: A closure that ends the wait; `nil` if nothing was recorded.
  package static func begin(forChild task: Int, of parent: Int) -> (@Sendable () -> Void)? {
    begin(.child(task), of: parent)
  }

  private static func begin(_ wait: Wait, of task: Int? = CurrentTask.number) -> (@Sendable () -> Void)? {
    guard DiagnosticsSwitch.makesNotes, let task else { return nil }
    let number = nextNumber()
    begin(wait, of: task, number)
    WaitGraph.check(from: WaitNode(task: task))
    return { end(task, number) }
  }
}
