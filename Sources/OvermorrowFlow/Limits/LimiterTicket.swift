public import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// The entry of a job or of a task in a limiter, from the call that makes the entry until its place is free again.
///
/// The class is not `@usableFromInline`, so that the compiler knows all uses of its fields and needs no checks for
/// exclusive access. Inlinable code has a ``LimiterEntry``.
final class LimiterTicket: TaskHolding, IndexedHeapEntry, @unchecked Sendable {
  // Sendable: constants, and fields that are only used under the lock of the limiter. `promise` never changes after it
  // was set there, and is read elsewhere only after it was found to be set.

  enum Phase {
    case new, pending, running, over
    /// The job waits for its pause.
    case paused
  }

  /// The work that waits for its turn.
  enum Work: Sendable {
    /// A job, and the resolver of its promise. The ticket retains the resolver only while the job is in the queue. So
    /// if a context drops the closure that would start the job, the promise is cancelled.
    case job(LimiterJob, UntypedResolver?)
    /// A task that is suspended until it has its turn.
    case task(_ resume: @Sendable () -> Void)
    /// Nothing, because the work was started or will never be.
    case none
  }

  /// The limiter. A ticket retains it, so that jobs run after the last other reference was released.
  let limiter: PromiseLimiter
  /// The priority. A higher priority comes first.
  var priority: Int
  /// The raw priority of the task, which decides between equal priorities. A job has the medium priority of tasks. (A
  /// `TaskPriority` is larger code, because its layout is only known at run time.)
  var taskPriority: UInt8
  /// The context of the job.
  let context: PromiseContext
  /// The pauses of the job's context.
  let pauses: [PauseLine]
  /// The promise of the job; `nil` for a task, and for a job whose promise is not made yet.
  private var promise: PromiseReference? = nil

  var phase = Phase.new
  var work = Work.none
  /// The index in the queue, or in the list of running or paused tickets.
  var index: Int? {
    get { storedIndex }
    set { storedIndex = newValue }
  }
  var number: UInt64 {
    get { storedNumber }
    set { storedNumber = newValue }
  }
  // A stored property that a protocol requires can be modified in place by any code, so that the compiler would check
  // each access.
  private var storedIndex: Int?
  private var storedNumber: UInt64 = 0
  /// The deadline of the wait, if there is a longest wait.
  var deadline: LimiterDeadline?
  /// The number of the ticket in the order of the calls.
  var order: UInt64 = 0
  /// Whether `cancelAll()` was called while the job ran.
  var isAsked = false
  /// The error with which the work ends instead of getting a turn.
  var error: PromiseRefusalError?

  init(
    of limiter: PromiseLimiter, priority: Int, taskPriority: UInt8 = TaskPriority.medium.rawValue,
    on context: PromiseContext = .immediate, pauses: [PauseLine] = [], within outer: TaskHolding? = nil
  ) {
    self.limiter = limiter
    self.priority = priority
    self.taskPriority = taskPriority
    self.context = context
    self.pauses = pauses
    super.init(within: outer)
  }

  override var isOver: Bool { limiter.state.withLock { _ in phase == .over } }

  func precedes(_ other: LimiterTicket) -> Bool? {
    if priority != other.priority { return priority > other.priority }
    return taskPriority == other.taskPriority ? nil : taskPriority > other.taskPriority
  }

  // MARK: The promise of a job

  func keep(_ promise: UntypedPromise) { self.promise = promise.reference }

  /// Asks the promise of the job to cancel.
  func requestCancel() {
    switch promise {
    case .some(let promise): promise.requestCancel()
    case .none: break
    }
  }

  /// Whether the promise of a job is known.
  var hasPromise: Bool {
    switch promise {
    case .some: true
    case .none: false
    }
  }

  /// The call of `perform`; `nil` if it is not known.
  private(set) var call: TaskCall?

  /// Records the call of `perform`, which the current task makes. The limiter does not know the ticket yet.
  func beginCall(at site: CallSite, waitingFor cause: StaticString) {
    call = TaskCall.begin("PromiseLimiter.perform", at: site, waitingFor: cause)
  }

  /// Records that the call of `perform` has ended.
  func endCall() { call?.end() }

  /// The job or the closure in the graph of waits; `nil` if it is not known.
  fileprivate var node: WaitNode? {
    switch promise {
    case .some(let promise): promise.waitNode
    case .none: call.map { WaitNode(task: $0.task) }
    }
  }

  /// Returns whether this is the ticket of a job with this promise.
  func belongs(to other: UntypedPromise) -> Bool {
    switch promise {
    case .some(let promise): promise.refers(to: other)
    case .none: false
    }
  }

  // MARK: The work, under the lock of the limiter

  /// Takes the work out of the ticket.
  func takeWork() -> Work {
    defer { work = .none }
    return work
  }

  /// Takes the resolver out of the ticket, and leaves the job there.
  func takeResolver() -> UntypedResolver? {
    guard case .job(let job, let resolver) = work else { return nil }
    work = .job(job, nil)
    return resolver
  }

  /// Puts the resolver back into the ticket of a job that was not called.
  func putBack(_ resolver: UntypedResolver?) {
    if case .job(let job, _) = work { work = .job(job, resolver) }
  }
}

extension LimiterTicket: WaitSource {
  var needs: WaitNeeds? { needs(first: .max) }

  func needs(first most: Int) -> WaitNeeds? {
    // The longest wait ends a wait in any case.
    if limiter.wait != nil { return nil }
    let (tickets, count) = limiter.state.withLock { state -> ([LimiterTicket], Int) in
      guard phase == .pending || phase == .new, let occupants = state.occupants(first: most) else { return ([], 0) }
      return occupants
    }
    // The nodes are made after unlocking, because the release of a node may run user code.
    let nodes = tickets.compactMap(\.node)
    return count == 0 || nodes.count < tickets.count
      ? nil : WaitNeeds(nodes, count: count, clause: "waits for its turn in a limiter, whose place is taken by")
  }
}

/// A job without its types. It is called once, with the resolver of its promise: with `nil` to start the job, or with
/// an error to reject the promise instead.
@usableFromInline
typealias LimiterJob = @Sendable (_ resolver: UntypedResolver, _ error: PromiseRefusalError?) -> Void

/// A ticket, in inlinable code.
@usableFromInline
struct LimiterEntry: Sendable {
  let ticket: LimiterTicket

  /// Returns the ticket as the holding of the code that has its turn, which the current code is about to run.
  ///
  /// - Parameter isJob: Whether the code is a job, which has no holding around it.
  @usableFromInline
  func makeHolding(isJob: Bool) -> TaskHolding {
    if isJob || ticket.hasOuter { ticket.keepSharedWork() }
    return ticket
  }

  /// Frees the place.
  @usableFromInline
  func end() { ticket.end() }

  /// Runs the closure of a job, whose code has the turn. A task that the closure creates has the turn, too.
  @inlinable
  func inside<Result>(_ body: () throws -> Result) rethrows -> Result {
    try TaskHolding.local.withValue(makeHolding(isJob: true), operation: body)
  }
}
