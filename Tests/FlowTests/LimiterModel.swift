/// A sequential model of a limiter: a list of all calls. After each operation, all turns that can be granted have been
/// granted, and all tasks that can run have run.
struct LimiterModel {
  enum Outcome: Sendable { case value, failure, cancelled, queueFull, waitExpired }
  enum Phase: Equatable {
    case new, waiting, running
    case ended(Outcome)
  }

  struct Call {
    /// Whether the call is a closure of `perform`; otherwise a job.
    var isTask = false
    /// Whether the call ends as soon as it has its turn.
    var endsAtOnce = false
    /// Whether a running job ends when it is asked to cancel.
    var complies = false
    /// The job that a job submits when it is asked to cancel and complies.
    var successor: Int?
    var priority = 0
    var taskPriority = TaskPriority.medium
    var isAsked = false
    var phase = Phase.new
    var order = 0
    var deadline = 0
  }

  var calls: [Call] = []
  var width: Int { didSet { grantTurns() } }
  let maxPending: Int?
  let maxWait: Int?
  private(set) var now = 0
  /// The jobs in the order of their starts.
  private(set) var starts: [Int] = []
  /// The tasks that have their turns and end as soon as they run.
  private var ending: [Int] = []
  /// Whether jobs are being asked to cancel, so that no waiting job may start.
  private var isAsking = false
  private var entered = 0

  init(width: Int, maxPending: Int?, maxWait: Int?) {
    (self.width, self.maxPending, self.maxWait) = (width, maxPending, maxWait)
  }

  func all(_ phase: Phase) -> [Int] { calls.indices.filter { calls[$0].phase == phase } }

  var runningCount: Int { all(.running).count }
  var pendingCount: Int { all(.waiting).count }

  mutating func submit(_ call: Int) {
    entered += 1
    calls[call].order = entered
    let (running, pending) = (runningCount, pendingCount)
    if pending == 0, running < width {
      start(call)
    } else if let maxPending, pending - max(width - running, 0) >= maxPending {
      calls[call].phase = .ended(.queueFull)
    } else {
      calls[call].phase = maxWait == 0 ? .ended(.waitExpired) : .waiting
      calls[call].deadline = now + (maxWait ?? 0)
    }
    grantTurns()
  }

  private mutating func start(_ call: Int) {
    calls[call].phase = .running
    if !calls[call].isTask { starts.append(call) }
    if calls[call].endsAtOnce {
      if calls[call].isTask { ending.append(call) } else { calls[call].phase = .ended(.value) }
    }
  }

  private mutating func grantTurns() {
    while !isAsking {
      if runningCount < width, let next = all(.waiting).min(by: precedes) {
        start(next)
      } else if !ending.isEmpty {
        calls[ending.removeFirst()].phase = .ended(.value)
      } else {
        return
      }
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (calls[left], calls[right])
    if left.priority != right.priority { return left.priority > right.priority }
    if left.taskPriority != right.taskPriority { return left.taskPriority > right.taskPriority }
    return left.order < right.order
  }

  mutating func end(_ call: Int, _ outcome: Outcome) {
    calls[call].phase = .ended(outcome)
    grantTurns()
  }

  /// Asks calls to cancel, all of them before another job starts.
  mutating func cancel(_ asked: [Int]) {
    isAsking = true
    for call in asked {
      switch calls[call].phase {
      case .waiting: calls[call].phase = .ended(.cancelled)
      case .running where !calls[call].isAsked:
        calls[call].isAsked = true
        if !calls[call].complies { continue }
        calls[call].phase = .ended(.cancelled)
        if let successor = calls[call].successor { submit(successor) }
      case .new, .running, .ended: break
      }
    }
    isAsking = false
    grantTurns()
  }

  /// Asks all jobs to cancel, the waiting ones first. Tasks that run are not asked.
  mutating func cancelAll() {
    for call in all(.waiting) { calls[call].phase = .ended(.cancelled) }
    cancel(all(.running).filter { !calls[$0].isTask }.sorted { calls[$0].order < calls[$1].order })
  }

  mutating func advance(by time: Int) {
    now += time
    if maxWait == nil { return }
    for call in all(.waiting) where calls[call].deadline <= now { calls[call].phase = .ended(.waitExpired) }
  }
}
