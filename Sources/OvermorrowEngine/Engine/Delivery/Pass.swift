/// A loop that delivers results on one thread, so that no delivery recurses.
///
/// # What waits in a pass
///
/// - **The drain stack**: resolved cores whose waiters are to be served. The core that was resolved last is on top
///   (`DrainStack`). Serving a core may resolve its waiters, which then go on top. So the observers of a callback's own
///   promise come before the next observer of its source, and a chain of a million links needs no recursion.
/// - **Deferred work** of calls that would have nested too deep. Deferred work comes before the drain stack, because it
///   would have run inside the callback that has just returned (`Deferred`).
/// - **Steps on the main queue**, if the pass runs on the main queue. These steps run when the drain stack is empty, in
///   order of arrival. They run before work that is already in the queue, and their number has no limit.
///
/// # How passes nest
///
/// User code that runs in a pass may itself resolve a promise or register a callback, and an immediate callback must
/// run inside that call. The call gets its own pass on top of the others. If ``nesting`` passes are nested, the work of
/// a further call is deferred to the innermost pass. This deferral is the only exception to "inside the call". Each
/// pass on top of a pass on the main queue has a reference to this main pass, so that steps on `.main` join the main
/// pass instead of going through the queue.
///
/// Only callbacks of resolved promises and the waiters of resolved cores are deferred. A body or the work of an
/// executor runs at any depth, in a pass of its own. The results of a step that an executor runs inside the call that
/// hands the step over are left to the pass that hands over, if the passes are nested too deep. So a chain on such an
/// executor does not recurse.
///
/// The call of a resolved promise's callback counts in the depth but needs no pass, because it has no waiters to serve
/// (`InnerCall`). Of these calls, only one at the last permitted level has a pass, because still deeper calls are
/// deferred to that pass.
///
/// The state of a pass is a value on the stack of the function that runs it. A `Pass` is a reference to that state.
@safe
@usableFromInline
package struct Pass {
  private let state: UnsafeMutablePointer<State>

  @inline(__always)
  var fields: State {
    // Unsafe, both: only the thread that runs the pass has the pointer, while the pass runs.
    unsafeAddress { unsafe UnsafePointer(state) }
    nonmutating unsafeMutableAddress { unsafe state }
  }

  struct State {
    /// The place to which the step or the body of this pass was handed; `immediate` if there is none. A step that
    /// continues on this place is not handed over again.
    let place: Place
    /// The innermost pass on the main queue: this pass, or one further out.
    var main: Pass?
    /// Whether this pass runs a `.nowOr` callback inside the registering call (`PromiseContext.isExecutingNow`), and
    /// whether it does so on the main queue. When the callback has returned, the pass only serves what is left.
    var isNow: Bool
    let nowIsOnMain: Bool
    /// The number of further steps that may run on `place` before other work of the queue gets its turn. Steps on
    /// `.main` have no such limit.
    var budget: Int
    let outer: Pass?
    var drainStack = DrainStack()
    /// The steps on the main queue that have joined this pass.
    var mainSteps = List()
    /// The number of pieces of work that were deferred to this pass, because they would have nested too deep, and the
    /// number of those whose turn was not yet determined (`Deferred`).
    var deferred = 0
    var newlyDeferred = 0
    /// Whether this pass hands a waiter to an executor at the moment.
    var isHandingOver = false
  }

  private init(state: UnsafeMutablePointer<State>) { unsafe self.state = state }

  /// Creates a reference to the pass at the address in a thread's state. If the address is zero, returns `nil`.
  fileprivate init?(address: UInt) {
    // Unsafe: only `run` sets the address, to a state that lives on this thread's stack until the address is reset.
    guard let state = unsafe UnsafeMutablePointer<State>(bitPattern: address) else { return nil }
    unsafe self.init(state: state)
  }

  fileprivate var address: UInt { unsafe UInt(bitPattern: state) }

  /// The number of passes and inner calls on one stack from which on deliveries inside the call are deferred.
  static let nesting = 24
  /// The largest number of steps that follow one another on a queue before other work of the queue gets a turn. On the
  /// main queue, this limits only `.queue(.main)`, where each step takes a turn anyway.
  static let longest = 1000

  private static var current: Pass? { ThreadLocal.current.pass }

  /// Whether the caller runs in a `.nowOr` callback inside the call that has registered the callback.
  package static var isExecutingNow: Bool {
    guard let pass = current, pass.fields.isNow else { return false }
    return MainQueue.isCurrent == pass.fields.nowIsOnMain
  }

  // MARK: Entering

  /// Serves the waiters of a core that user code has just resolved, before that code continues.
  static func serve(_ drainer: consuming Drainer) {
    let thread = ThreadLocal.current
    if thread.fields.depth >= nesting, let pass = thread.pass { return pass.deferDraining(drainer) }
    let core = drainer.leave()
    // Unsafe: `run` calls the closure once.
    run(on: .immediate, isNow: false) { $0.serveWaiters(of: unsafe Drainer(of: core)) }
  }

  /// Runs a step inside the call that registers the step. The source of the step is resolved.
  static func runAtOnce(_ step: consuming Waiter, from source: CoreRef, isNow: Bool) {
    let thread = ThreadLocal.current
    if thread.fields.depth >= nesting, let pass = thread.pass {
      // The step will run on this thread, and not on its place.
      step.core.takePlace().relinquish()
      step.keepSource(source)
      return pass.deferStep(step)
    }
    let step = step.leave()
    // Unsafe: `run` calls the closure once.
    run(on: .immediate, isNow: isNow ? true : nil) { unsafe Waiter(of: step).run(from: source, in: $0) }
  }

  /// Runs code inside the call of other code. If the code resolves promises, their waiters are served before this
  /// function returns.
  static func runInside(_ body: () -> Void) { run(on: .immediate, isNow: nil) { _ in body() } }

  /// Runs work inside this call, as a `.nowOr` callback.
  package static func performNow(_ work: () -> Void) { run(on: .immediate, isNow: true) { _ in work() } }

  /// Runs work on a place, and relinquishes the place. On `.immediate`, runs the work inside this call. On other
  /// places, runs the work in a pass.
  package static func perform(at place: Place, _ work: @escaping @Sendable () -> Void) {
    if place.isImmediate { return work() }
    guard place.isQueue else {
      place.enqueue { run(on: place.isMain ? .main : .immediate, isNow: false) { _ in work() } }
      return place.relinquish()
    }
    // The place is kept until the work has run, so that a blocking wait in the work knows the queue.
    place.enqueue {
      run(on: place, isNow: false) { _ in work() }
      place.relinquish()
    }
  }

  /// Whether this thread runs a callback or a body on a queue. The place of the queue is only compared.
  package static func isRunning(on queue: Place) -> Bool {
    var next = current
    while let pass = next {
      if pass.fields.place == queue { return true }
      next = pass.fields.outer
    }
    return false
  }

  /// The place on which this thread runs a callback or a body, if the place is a queue without a number. Callbacks that
  /// run inside the call of other code are on the place of that code. The code that runs the pass owns the place until
  /// the pass has ended.
  package static var queue: Place? {
    var next = current
    while let pass = next, pass.fields.place.isImmediate { next = pass.fields.outer }
    return next.flatMap { $0.fields.place.isQueue ? $0.fields.place : nil }
  }

  @inline(__always)
  private var hasMore: Bool {
    fields.drainStack.first != nil || fields.mainSteps.head != nil || fields.deferred != 0
  }

  /// Runs `body` in a new pass, and then serves the cores and steps that `body` has added to the pass.
  static func run(on place: Place, isNow: Bool?, _ body: (Pass) -> Void) {
    let thread = ThreadLocal.current
    let outer = thread.pass
    var state = State(
      place: place, main: outer?.fields.main, isNow: isNow ?? outer?.fields.isNow ?? false,
      nowIsOnMain: isNow == true ? MainQueue.isCurrent : outer?.fields.nowIsOnMain ?? false,
      budget: longest, outer: outer)
    // Unsafe: only this thread uses it, through `ThreadLocal`, which is reset before the value ends.
    unsafe withUnsafeMutablePointer(to: &state) { state in
      let pass = unsafe Pass(state: state)
      if place.isMain { pass.fields.main = pass }
      thread.pass = pass
      thread.fields.depth += 1
      body(pass)
      if pass.hasMore { pass.serveAll() }
      thread.fields.depth -= 1
      thread.pass = outer
    }
  }
}

// MARK: Elsewhere: a step on its place, and the rest of a list on a global queue

extension Pass {
  /// Runs a step that has kept its source.
  func run(_ step: consuming Waiter) {
    let source = step.takeSource()
    let step = step.leave()
    // Unsafe: `use` calls the closure once.
    source.use { unsafe Waiter(of: step).run(from: $0, in: self) }
  }

  /// Runs a step that was handed to a place. The caller runs on this place.
  private static func runHandedOver(_ step: CoreRef) {
    let place = step.takePlace()
    run(on: place, isNow: false) { pass in
      // Unsafe: `handOver` has left the waiter to this call.
      pass.run(unsafe Waiter(of: step))
      if place.mayDrop { pass.leaveAllIfTooDeep() }
    }
    // The place is kept until here. The pass compares the address of the place with the places of other steps, so this
    // address must not be reused during the pass.
    place.relinquish()
  }

  /// Submits a step to its place, or leaves the step to the main pass of this thread. When the step runs, it reads the
  /// result of its source.
  ///
  /// - Parameter joins: Whether the step may join the main pass of this thread. This is `true` only for the waiters of
  ///   a core that is being drained. Their order is kept, because the earlier waiters for the main queue have also
  ///   joined the main pass.
  static func handOver(_ waiter: consuming Waiter, from source: CoreRef, joins: Bool) {
    waiter.keepSource(source)
    let place = waiter.core.place
    // A call further out on this stack runs the main pass, so its state is valid.
    if joins, place.isMain, let main = current?.fields.main { return main.join(waiter) }
    let step = waiter.leave()
    // From here on, the place belongs to the step, which may end on another thread while `enqueue` still runs. So
    // `enqueue` retains the object of the place before it submits the work.
    if place.mayDrop {
      // An executor may run work twice, or drop the work. A dropped step ends as if its callback had been suppressed.
      // Unsafe: only one of the two closures is called, once.
      let work = OneCall({ runHandedOver(step) }, ifDropped: { unsafe Waiter(of: step).forwardDropped() })
      // Only the pass that drains can take over what an executor has run inside the call.
      let pass = joins ? current : nil
      pass?.fields.isHandingOver = true
      place.enqueue { work() }
      pass?.fields.isHandingOver = false
      return
    }
    // Unsafe: the step keeps itself until it has run.
    place.enqueue(unsafe WorkItem(step.pointer, runStep))
  }

  private static let runStep: WorkItem.Function = { step in
    // Unsafe: the pointer that `handOver` has handed over.
    guard let step = unsafe step else { return }
    runHandedOver(unsafe CoreRef(step.assumingMemoryBound(to: CoreState.self)))
  }
}

extension Drainer {
  /// Leaves the remaining waiters to a thread of a global queue.
  @inline(never)
  consuming func continueOnGlobalQueue() {
    let core = leave()
    // Unsafe: the queue runs this work once.
    Place.default.enqueue { Pass.serve(unsafe Drainer(of: core)) }
  }
}

extension Waiter {
  /// Keeps the resolved source in this step, which runs later. The count on the source is the one that the step has as
  /// a waiter, or a new one.
  fileprivate func keepSource(_ source: CoreRef) {
    core.fields.sourceOrBelow.value = (core.detach(source) ?? Owned(source)).leak()
  }

  /// Takes the source that was kept.
  fileprivate func takeSource() -> Owned {
    guard let source = core.fields.sourceOrBelow.value else {
      preconditionFailure("a step is ready, but has no source")
    }
    core.fields.sourceOrBelow.value = nil
    // Unsafe: the word had the count.
    return unsafe Owned(taking: source)
  }

  /// Ends a step that its executor has dropped. The step ends as if its token had been invalidated.
  fileprivate consuming func forwardDropped() {
    let source = takeSource()
    let step = leave()
    // Unsafe: `use` calls the closure once.
    source.use { unsafe Waiter(of: step).forwardResult(from: $0, in: nil) }
  }
}

// MARK: Later: what was deferred to a pass, and steps on the main queue

extension Pass {
  /// Defers a core that was resolved by a call that nests too deep.
  func deferDraining(_ drainer: consuming Drainer) { append(Deferred(work: .core, core: drainer.leave())) }

  /// Defers a step that was registered by a call that nests too deep.
  func deferStep(_ step: consuming Waiter) { append(Deferred(work: .step, core: step.leave())) }

  private func append(_ deferred: Deferred) {
    // This pass is the innermost one, or the one around it, which ends without having deferred work.
    ThreadLocal.current.fields.deferred.append(deferred)
    fields.deferred += 1
    fields.newlyDeferred += 1
  }

  /// Does the next piece of the deferred work, if its turn has come. Otherwise returns `false`.
  @inline(never)
  func resumeDeferred() -> Bool {
    let thread = ThreadLocal.current
    let top = fields.drainStack.top.bits
    if fields.newlyDeferred != 0 {
      let new = thread.fields.deferred.suffix(fields.newlyDeferred).indices
      // The work that was deferred first is taken first, from the end.
      thread.fields.deferred[new].reverse()
      for index in new { thread.fields.deferred[index].top = top }
      fields.newlyDeferred = 0
    }
    guard let next = thread.fields.deferred.last, next.top == top else { return false }
    thread.fields.deferred.removeLast()
    // The end of the thread does not free this memory.
    if thread.fields.deferred.isEmpty { thread.fields.deferred = [] }
    fields.deferred -= 1
    switch next.work {
    // Unsafe, both: the functions above have left the right.
    case .step: run(unsafe Waiter(of: next.core))
    case .core: fields.drainStack.push(unsafe Drainer(of: next.core))
    }
    return true
  }

  /// If this pass runs inside the call that hands its step to an executor, and nests too deep, leaves all its work to
  /// the pass that hands over. This pass has not served any core.
  @inline(never)
  func leaveAllIfTooDeep() {
    guard ThreadLocal.current.fields.depth > Pass.nesting, let outer = fields.outer, outer.fields.isHandingOver else {
      return
    }
    outer.fields.deferred += fields.deferred
    outer.fields.newlyDeferred += fields.newlyDeferred
    (fields.deferred, fields.newlyDeferred) = (0, 0)
    while let core = fields.drainStack.first { outer.deferDraining(fields.drainStack.takeBack(core)) }
  }
}

extension Pass {
  /// Steps that are ready to run, linked through their `next`.
  struct List {
    var head: CoreRef?
    var tail: CoreRef?
  }

  /// Appends a step of the main queue to those that will run in this pass.
  func join(_ step: consuming Waiter) { fields.mainSteps.append(step) }
}

extension Pass.List {
  mutating func append(_ waiter: consuming Waiter) {
    let step = waiter.leave()
    step.fields.next.value = nil
    if let tail {
      tail.fields.next.value = step
    } else {
      head = step
    }
    tail = step
  }

  mutating func remove() -> Waiter? {
    guard let step = head else { return nil }
    head = step.next
    if head == nil { tail = nil }
    // Unsafe: `append` has left the waiter in the list.
    return unsafe Waiter(of: step)
  }
}

extension ThreadLocal {
  @inline(__always)
  fileprivate var pass: Pass? {
    get { Pass(address: fields.pass) }
    nonmutating set { fields.pass = newValue?.address ?? 0 }
  }
}
