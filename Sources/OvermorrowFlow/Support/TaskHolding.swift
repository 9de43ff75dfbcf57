internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// Something that async code holds while a closure runs, such as a place in a limiter.
///
/// A task-local value contains the innermost holding of the current code. So code that is about to wait can find out
/// whether it would wait for itself, because everything that could end its wait waits for the code.
@usableFromInline
class TaskHolding: @unchecked Sendable {
  // Sendable: the fields are only changed under the lock of `waiting`, `outer` only by the code that ends the holding,
  // and `workOfCode` only before code inside the holding reads it.

  /// The task-local value with the innermost holding of the current code.
  @usableFromInline static let local = TaskLocal<TaskHolding?>(wrappedValue: nil)

  /// The holding around this one. When this holding ends, the field becomes the next holding that is not over. So a
  /// chain of tasks that create one another does not make a chain of ended holdings.
  private final var outer: TaskHolding?
  /// The shared work of the code inside this holding, if the holdings around this one do not tell it: a job has none,
  /// and holdings that are over are left out.
  private final var workOfCode: SharedWork?
  /// The waits of the code inside this holding. The key is the identity of the object that waits.
  private final var waits: [ObjectIdentifier: any HoldingSource] = [:]

  /// The lock of the waits.
  private static let waiting = Guarded(())

  init(within outer: TaskHolding?) { self.outer = outer }

  /// Whether the holding has ended.
  var isOver: Bool { false }

  /// Whether the code inside this holding waits while a task that has inherited the holding waits.
  func waits(with task: Int?) -> Bool { true }

  /// The shared work to which the code inside this holding belongs. The search is linear in the number of holdings
  /// around the code.
  final var sharedWork: SharedWork? {
    TaskHolding.waiting.withLock { _ in
      sequence(first: self, next: \.outer).lazy.compactMap { $0 as? SharedWork ?? $0.workOfCode }.first
    }
  }

  /// Whether there is a holding around this one.
  final var hasOuter: Bool { outer != nil }

  /// Records the shared work to which the current code belongs. The code is about to run other code inside this
  /// holding.
  final func keepSharedWork() {
    if let holding = TaskHolding.local.get() { workOfCode = holding.sharedWork }
  }

  /// The innermost holding of the current code that is not over. A task outlives the closure that has created it.
  static var innermost: TaskHolding? {
    let holding = local.get()
    guard let holding, holding.isOver else { return holding }
    return waiting.withLock { _ in holding.around.first { !$0.isOver } }
  }

  /// The holdings around this one, from the inside.
  private final var around: some Sequence<TaskHolding> { sequence(first: self, next: \.outer).dropFirst() }

  /// Releases the holdings around this one that are over. The code that ends this holding calls this method.
  final func releaseOuter() {
    if outer == nil { return }
    let released = TaskHolding.waiting.withLock { _ in
      var released: [(TaskHolding, [ObjectIdentifier: any HoldingSource])] = []
      while let next = outer, next.isOver {
        released.append((next, next.waits))
        next.waits = [:]
        outer = next.outer
      }
      return released
    }
    // The last reference to a holding may be among these, and its release may run user code.
    withExtendedLifetime(released) {}
  }

  // MARK: Waits

  /// Begins a wait until this holding begins, unless the wait could never end. The code of the holdings around this one
  /// waits.
  ///
  /// - Parameter source: The source of this holding.
  /// - Returns: Whether the wait has begun. Then ``endWait()`` must follow.
  final func beginWait(for source: any HoldingSource) -> Bool {
    if outer == nil { return true }
    let (id, task) = (ObjectIdentifier(self), CurrentTask.number)
    let (mayEnd, seen) = TaskHolding.waiting.withLock { _ -> (Bool, [HoldingNeeds]) in
      var isWaiting = false
      for holding in around where holding.waits(with: task) {
        holding.waits[id] = source
        isWaiting = true
      }
      if !isWaiting { return (true, []) }
      let (mayEnd, seen) = TaskHolding.mayEnd(waitFor: source)
      if !mayEnd { for holding in around { holding.waits[id] = nil } }
      return (mayEnd, seen)
    }
    // The last reference to a holding may be among these, and its release may run user code.
    withExtendedLifetime(seen) {}
    return mayEnd
  }

  /// Ends the wait. Does nothing if the wait has ended.
  @usableFromInline
  final func endWait() {
    if outer == nil { return }
    let id = ObjectIdentifier(self)
    TaskHolding.waiting.withLock { _ in
      for holding in around { holding.waits[id] = nil }
    }
  }

  /// Returns whether a wait for a source can end, and what was seen.
  ///
  /// A wait can end if the source needs the end of no holding, or if the code inside enough of its holdings can go on.
  /// That code can go on if all its waits can end.
  ///
  /// If enough of the first holdings of each source that is seen can go on, the cost does not depend on the number of
  /// holdings of the sources. Otherwise, each source, each holding and each wait is visited at most twice. All limiters
  /// share the lock of the waits, but only waits of code that holds something take it.
  private static func mayEnd(waitFor source: any HoldingSource) -> (Bool, seen: [HoldingNeeds]) {
    var (numbers, seen) = (NodeNumbers(start: HoldingNode.source(source)), [HoldingNeeds]())
    let stuck = WaitSolver.stuck { node, most in
      guard let needs = numbers.nodes[node].needs(first: most) else { return nil }
      seen.append(needs)
      return (needs.nodes.map { numbers.number(of: $0) }, needs.count)
    }
    return (stuck == nil, seen)
  }

  /// The code inside this holding needs the end of all its waits.
  fileprivate final var needs: HoldingNeeds? {
    waits.isEmpty ? nil : (waits.values.map { .source($0) }, waits.count)
  }
}

/// A source of holdings, such as a limiter. Code may wait until it gets a holding.
protocol HoldingSource: AnyObject, Sendable {
  /// The first holdings of this source, and the number of all its holdings that must end before a wait for this source
  /// ends; `nil` if a wait may end without that.
  ///
  /// - Parameter most: The largest number of holdings to return.
  func needs(first most: Int) -> HoldingNeeds?
}

/// What a wait for a source, or the code inside a holding, needs.
typealias HoldingNeeds = (nodes: [HoldingNode], count: Int)

/// A node of the graph of the waits of holdings.
enum HoldingNode: Identifiable, Sendable {
  case source(any HoldingSource)
  case holding(TaskHolding)

  /// A load is both a source and a holding.
  struct ID: Hashable {
    let object: ObjectIdentifier
    let isSource: Bool
  }

  var id: ID {
    switch self {
    case .source(let source): ID(object: ObjectIdentifier(source), isSource: true)
    case .holding(let holding): ID(object: ObjectIdentifier(holding), isSource: false)
    }
  }

  func needs(first most: Int) -> HoldingNeeds? {
    switch self {
    case .source(let source): source.needs(first: most)
    case .holding(let holding): holding.needs
    }
  }
}
