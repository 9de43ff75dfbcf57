/// Those who register on a resolved core while the last ones of those before them are being started.
///
/// A drainer cannot come back for newcomers as long as there are any: it might never return. So it hands them over to
/// this queue, once, and comes back for those who are in it then (I9). Whoever registers from now on puts its waiter at the
/// end and helps: it starts what is in front, in order, then its own waiter. When nobody is left, the core is closed.
///
/// The order is that of the queue, whoever takes from it. Steps are handed to queues under the lock, so that no thread
/// overtakes another one on the way. An executor is user code and not called under a lock; while it is called, nobody else
/// takes anything, and whoever calls it goes on with what the others have left to it.
///
/// Under the lock nothing of the user's runs, and nothing waits. It is taken only by those who register on a promise while
/// others do so too, faster than one thread can serve them.
enum Latecomers {
  fileprivate final class Queue: @unchecked Sendable {
    // Sendable: reached under the lock only.
    var waiting = Pass.List()
    /// How many have come, and how many have been taken.
    var registered = 0
    var taken = 0
    /// Up to whom somebody is to go who has been here before: the drainer, or who calls an executor.
    var duty = 0
    /// How many callbacks of this core run, as far as they were started here.
    var running = 0
    /// Whether one of them has been given time to finish, in vain.
    var isImpatient = false
    var isCallingExecutor = false
  }

  /// What to do next.
  private enum Turn: Sendable {
    case nothing
    case goOn
    case giveTime
    case run(CoreRef)
    case call(CoreRef)
  }

  private static let queues = Guarded<[UInt: Queue]>([:])

  // MARK: The drainer

  /// Lets those queue who have come while the drainer served others. The caller is the drainer, and somebody has come.
  ///
  /// - Parameter isRunning: Whether the last one that the drainer took is still to run. Then `didFinish` follows.
  static func begin(_ core: CoreRef, isRunning: Bool) {
    queues.withLock { queues in
      let queue = Queue()
      var next: CoreRef? = core.share()
      while let step = next {
        next = step.next
        queue.append(step)
      }
      queue.duty = queue.registered
      queue.running = isRunning ? 1 : 0
      queues[core.address] = queue
    }
  }

  /// Starts what is left of those who had come before the queue was there. The caller is the drainer.
  static func serveRest(of core: CoreRef) { serve(core, upTo: 0, own: nil, isPatient: true) }

  // MARK: The others

  /// Starts a step, after all that are in front of it; `false` if the core has been closed meanwhile.
  ///
  /// The step runs in here, unless another thread has been so kind, or it belongs elsewhere. The caller has a count on it beside
  /// that for being unresolved.
  static func register(_ step: CoreRef, on core: CoreRef) -> Bool {
    let ticket = queues.withLock { queues -> Int? in
      guard let queue = queues[core.address] else { return nil }
      queue.append(step)
      return queue.registered
    }
    guard let ticket else { return false }
    serve(core, upTo: ticket, own: step, isPatient: !Pass.isFinishing(core))
    return true
  }

  /// A callback that was started here, or before the queue was there, has returned.
  static func didFinish(of core: CoreRef) {
    queues.withLock { queues in
      guard let queue = queues[core.address] else { return }
      queue.running -= 1
      close(core, queue, in: &queues)
    }
  }

  // MARK: In turn

  /// Starts what is in front, up to a step or as far as it is somebody's duty.
  private static func serve(_ core: CoreRef, upTo ticket: Int, own: CoreRef?, isPatient: Bool) {
    var ticket = ticket
    var isPatient = isPatient
    while true {
      switch next(of: core, upTo: ticket, own: own, isPatient: isPatient) {
      case .nothing: return
      case .goOn: break
      case .giveTime:
        Moment.pass(unless: { !isAnyRunning(of: core) })
        isPatient = false
      case .run(let step):
        if step.state.isPending {
          step.serveAtOnce(from: core, isOwn: step == own)
        } else {
          Pass.serveAgain(step, from: core, in: nil)
        }
        didFinish(of: core)
      case .call(let step):
        Pass.handOver(step, from: core, joins: false)
        ticket = max(ticket, didCall(core))
      }
    }
  }

  private static func next(of core: CoreRef, upTo ticket: Int, own: CoreRef?, isPatient: Bool) -> Turn {
    queues.withLock { queues in
      guard let queue = queues[core.address] else { return .nothing }
      defer { close(core, queue, in: &queues) }
      guard queue.taken < (own == nil ? queue.duty : ticket), let step = queue.waiting.head else { return .nothing }
      if queue.isCallingExecutor {
        queue.duty = max(queue.duty, ticket)
        return .nothing
      }
      if step.runsAtOnce(from: core, isOwn: step == own) {
        if queue.running > 0, !queue.isImpatient {
          if isPatient { return .giveTime }
          queue.isImpatient = true
        }
        queue.take()
        queue.running += 1
        return .run(step)
      }
      queue.take()
      if step.place.callsOthers {
        queue.isCallingExecutor = true
        return .call(step)
      }
      Pass.handOver(step, from: core, joins: false)
      return .goOn
    }
  }

  /// The executor has been called.
  ///
  /// - Returns: Up to whom to go on.
  private static func didCall(_ core: CoreRef) -> Int {
    queues.withLock { queues in
      guard let queue = queues[core.address] else { return 0 }
      queue.isCallingExecutor = false
      close(core, queue, in: &queues)
      return queue.duty
    }
  }

  private static func isAnyRunning(of core: CoreRef) -> Bool {
    queues.withLock { ($0[core.address]?.running ?? 0) > 0 }
  }

  /// Closes the core if all have been started, and nobody needs time to finish.
  private static func close(_ core: CoreRef, _ queue: Queue, in queues: inout [UInt: Queue]) {
    guard queue.waiting.head == nil, !queue.isCallingExecutor,
      queue.running == 0 || queue.isImpatient
    else { return }
    queues[core.address] = nil
    core.close()
  }
}

extension Latecomers.Queue {
  fileprivate func append(_ step: CoreRef) {
    waiting.append(step)
    registered += 1
  }

  fileprivate func take() {
    _ = waiting.remove()
    taken += 1
  }
}
