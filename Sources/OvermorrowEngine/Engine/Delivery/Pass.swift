/// A loop that delivers results on one thread, so that no delivery recurses.
///
/// # What waits in a pass
///
/// - **The drain stack**: resolved cores whose waiters are to be served. The core that was resolved last is on top
///   (`DrainStack`). Serving a core may resolve its waiters, which then go on top. So the observers of a callback's own
///   promise come before the next observer of its source, and a chain of a million links needs no recursion.
/// - **Deferred work** of calls that would have nested too deep. Deferred work comes before the drain stack, because it
///   would have run inside the callback that has just returned.
/// - **Steps on the main queue**, if the pass runs on the main queue. These steps run when the drain stack is empty, in
///   order of arrival, as on the main queue itself.
///
/// # How passes nest
///
/// User code that runs in a pass may itself resolve a promise or register a callback, and an immediate callback must
/// run inside that call. The call gets its own pass on top of the others. Up to ``nesting`` passes nest. The work of
/// deeper calls is deferred to the pass below. This deferral is the only exception to "inside the call". Each pass on
/// top of a pass on the main queue has a reference to this main pass, so that steps on `.main` join the main pass
/// instead of going through the queue.
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
    /// The innermost pass on the main queue: this pass, or one below it.
    var main: Pass?
    /// Whether this pass runs a `.nowOr` callback inside the registering call (`PromiseContext.isExecutingNow`), and
    /// whether it does so on the main queue.
    let isNow: Bool
    let nowIsOnMain: Bool
    /// The number of further steps that may run on `place` before other work of the queue gets its turn.
    var budget: Int
    let outer: Pass?
    var drainStack = DrainStack()
    /// The steps on the main queue that have joined this pass.
    var mainSteps = List()
    /// Whether steps or cores were deferred to this pass, because they would have nested too deep.
    var hasDeferred = false
    var deferredSteps = List()
    var deferredCores = DrainStack.Batch()
  }

  private init(state: UnsafeMutablePointer<State>) { unsafe self.state = state }

  /// Creates a reference to the pass at the address in a thread's state. If the address is zero, returns `nil`.
  fileprivate init?(address: UInt) {
    // Unsafe: only `run` sets the address, to a state that lives on this thread's stack until the address is reset.
    guard let state = unsafe UnsafeMutablePointer<State>(bitPattern: address) else { return nil }
    unsafe self.init(state: state)
  }

  fileprivate var address: UInt { unsafe UInt(bitPattern: state) }

  /// The largest number of passes and inner calls that nest on one stack.
  static let nesting = 24
  /// The largest number of steps that follow one another on a queue before other work of the queue gets a turn.
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
  /// run inside the call of other code are on the place of that code. The pass retains the queue.
  package static var queue: Place? {
    var next = current
    // At most `nesting` passes are visited.
    while let pass = next, pass.fields.place.isImmediate { next = pass.fields.outer }
    return next.flatMap { $0.fields.place.isQueue ? $0.fields.place : nil }
  }

  @inline(__always)
  private var hasMore: Bool {
    fields.drainStack.first != nil || fields.mainSteps.head != nil || fields.hasDeferred
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
    step.run(from: source.core, in: self)
  }

  /// Runs a step that was handed to a place. The caller runs on this place.
  private static func runHandedOver(_ step: CoreRef) {
    let place = step.takePlace()
    // Unsafe: `handOver` has left the waiter to this call.
    run(on: place, isNow: false) { $0.run(unsafe Waiter(of: step)) }
    // The place is kept until here. The pass compares the address of the place with the places of other steps, so this
    // address must not be reused during the pass.
    place.relinquish()
  }

  /// Submits a step to its place. When the step runs there, it reads the result of its source.
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
    if place.mayDrop {
      // An executor may run work twice, or drop the work. A dropped step ends as if its callback had been suppressed.
      // Unsafe: only one of the two closures is called, once.
      let work = OneCall({ runHandedOver(step) }, ifDropped: { unsafe Waiter(of: step).forwardDropped() })
      return place.enqueue { work() }
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
  /// Ends a step that its executor has dropped. The step ends as if its token had been invalidated.
  fileprivate consuming func forwardDropped() {
    let source = takeSource()
    forwardResult(from: source.core, in: nil)
  }
}

// MARK: Later: what was deferred to a pass, and steps on the main queue

extension Pass {
  /// Steps that are ready to run, linked through their `next`.
  struct List {
    var head: CoreRef?
    var tail: CoreRef?
  }

  /// Defers a core that was resolved by a call that nests too deep.
  func deferDraining(_ drainer: consuming Drainer) {
    fields.deferredCores.append(drainer)
    fields.hasDeferred = true
  }

  /// Defers a step that was registered by a call that nests too deep.
  func deferStep(_ step: consuming Waiter) {
    fields.deferredSteps.append(step)
    fields.hasDeferred = true
  }

  /// Appends a step of the main queue to those that will run in this pass.
  func join(_ step: consuming Waiter) { fields.mainSteps.append(step) }

  /// Runs one of the deferred steps. If no deferred step is left, pushes the deferred cores onto the drain stack, the
  /// first core on top.
  @inline(never)
  func resumeDeferred() {
    if let step = fields.deferredSteps.remove() { return run(step) }
    fields.drainStack.push(fields.deferredCores)
    fields.deferredCores = DrainStack.Batch()
    fields.hasDeferred = false
  }
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
