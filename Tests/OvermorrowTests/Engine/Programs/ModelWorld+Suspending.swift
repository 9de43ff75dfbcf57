/// Whether a promise is suspended, and why, in the model.
struct ModelSuspension {
  var isHeld = false
  /// The program has suspended it.
  var isAsked = false
  /// Which of those who wait for it are suspended, and have a say.
  var observers: Set<ObjectIdentifier> = []
  /// Among whose observers it is, while it is suspended.
  var linked: [ModelPromise] = []
  var kept: ModelKept? { didSet { number = ModelSuspension.next() } }
  /// When that came, compared with what others keep.
  private(set) var number = 0

  // Compared within one world only, each of which is used by one thread.
  private static let numbers = Counter()

  private static func next() -> Int { numbers.increment() }
}

/// What a promise that is suspended has got, and waits with.
enum ModelKept {
  /// The source of a step that is ready to run.
  case source(ModelPromise)
  case result(ProgramResult)
}

extension ModelPromise {
  fileprivate var isToBeHeld: Bool {
    suspension.isAsked || !suspension.observers.isEmpty && suspension.observers.count >= votes.count
  }

  /// Whether it has been resolved, although nobody sees the result yet.
  var hasKeptResult: Bool {
    if result != nil { return false }
    if case .result = suspension.kept { return true }
    return resolvedWith != nil
  }
}

/// The producer's control of the work behind a promise.
final class ModelControl {
  let number: Int
  var isSuspended = false
  var isCancelled = false

  init(_ number: Int) { self.number = number }
}

/// What is to be done when it is clear who is suspended.
private struct ModelAftermath {
  var changed: [ModelPromise] = []
  var asked: [ModelPromise] = []
  var resumed: [(promise: ModelPromise, kept: ModelKept, number: Int)] = []
}

/// How suspensions travel, in the model. Promises that are resumed together go on in the order in which they had got what they
/// kept.
extension ModelWorld {
  // MARK: What the program does

  func isSuspended(_ promise: Int) -> Bool { promises[promise]!.isSuspended }

  func suspend(_ promise: Int) {
    let promise = promises[promise]!
    toAsk.append(promise)
    holding(promise) {
      promise.suspension.isAsked = true
      settle([promise])
    }
  }

  func resume(_ promise: Int) {
    let promise = promises[promise]!
    holding(promise) {
      var found = [promise]
      var next = 0
      while next < found.count {
        found[next].suspension.isAsked = false
        for upstream in found[next].upstream where !found.contains(where: { $0 === upstream }) {
          found.append(upstream)
        }
        next += 1
      }
      settle(found.reversed())
    }
  }

  func attach(_ control: Int, to resolver: Int) {
    let resolver = resolvers[resolver]!
    let promise = resolver.promise
    if promise.result != nil || promise.hasKeptResult { return }
    let control = ModelControl(control)
    if promise.isAsked { return cancel(control) }
    promise.toTell.append(.control(control))
    update(control, of: promise)
  }

  // MARK: Who is suspended

  /// Brings the suspension of these in line with their observers, the last one first, and so on upstream.
  func settle(_ promises: [ModelPromise]) {
    var aftermath = ModelAftermath()
    settle(promises, &aftermath)
    finish(aftermath)
  }

  private func settle(_ promises: [ModelPromise], _ aftermath: inout ModelAftermath) {
    var waiting = promises
    while let promise = waiting.popLast() {
      if !promise.isSuspended, promise.isToBeHeld {
        waiting += hold(promise, &aftermath)
      } else if promise.isSuspended, !promise.isToBeHeld {
        promise.suspension.isHeld = false
        aftermath.changed.append(promise)
        if let kept = promise.suspension.kept { aftermath.resumed.append((promise, kept, promise.suspension.number)) }
        promise.suspension.kept = nil
        waiting += unlinkAll(promise)
      }
    }
  }

  private func hold(_ promise: ModelPromise, _ aftermath: inout ModelAftermath) -> [ModelPromise] {
    guard promise.result == nil else {
      promise.suspension.isAsked = false
      return []
    }
    promise.suspension.isHeld = true
    aftermath.changed.append(promise)
    if promise.isAsked { aftermath.asked.append(promise) }
    return linkAll(promise)
  }

  /// - Returns: Those that are to be looked at next.
  private func linkAll(_ promise: ModelPromise) -> [ModelPromise] {
    if promise.isAsked { return [] }
    if !promise.isStepToRun || promise.kind?.votes == true {
      for upstream in promise.upstream
      where upstream.suspension.observers.insert(ObjectIdentifier(promise)).inserted {
        promise.suspension.linked.append(upstream)
      }
    }
    return promise.upstream
  }

  private func unlinkAll(_ promise: ModelPromise) -> [ModelPromise] {
    defer { promise.suspension.linked = [] }
    for upstream in promise.suspension.linked { upstream.suspension.observers.remove(ObjectIdentifier(promise)) }
    return promise.suspension.linked
  }

  /// It waits for something new.
  func link(_ promise: ModelPromise) { settle(linkAll(promise)) }

  /// It has taken its vote back.
  func unlink(_ promise: ModelPromise, from upstream: ModelPromise) {
    if upstream.suspension.observers.isEmpty { return }
    upstream.suspension.observers.remove(ObjectIdentifier(promise))
    promise.suspension.linked.removeAll { $0 === upstream }
    settle([upstream])
  }

  // MARK: What becomes of it

  private func finish(_ aftermath: ModelAftermath) {
    for promise in aftermath.changed {
      events.mayBeInterrupted()
      for case .control(let control) in promise.toTell { update(control, of: promise) }
    }
    for promise in aftermath.asked {
      events.mayBeInterrupted()
      cancelSuspended(promise)
    }
    for (promise, kept, _) in aftermath.resumed.sorted(by: { $0.number < $1.number }) {
      events.mayBeInterrupted()
      switch kept {
      case .result(let result): publish(promise, result, in: nil)
      case .source(let source):
        if promise.context == .immediate {
          inPass { run(promise, from: source, in: $0) }
        } else {
          work.append(.step(promise, from: source))
        }
      }
    }
  }

  /// It has a result, and is not suspended any more.
  func endSuspension(of promise: ModelPromise) {
    guard promise.isSuspended else { return }
    promise.suspension.isHeld = false
    promise.suspension.isAsked = false
    promise.suspension.kept = nil
    settle(unlinkAll(promise))
  }

  /// A request cancels a promise that is suspended at once (7.3).
  func cancelSuspended(_ promise: ModelPromise) {
    guard promise.isSuspended else { return }
    let isStepToRun = promise.isStepToRun
    resolve(promise, .cancelled)
    if isStepToRun { dropCallback(of: promise) }
    finishPublishing(promise, in: nil)
  }

  private func update(_ control: ModelControl, of promise: ModelPromise) {
    while promise.result == nil, !control.isCancelled, control.isSuspended != promise.isSuspended {
      control.isSuspended.toggle()
      events.controlIsTold(control.number, control.isSuspended ? .suspend : .resume)
    }
  }

  func cancel(_ control: ModelControl) {
    control.isCancelled = true
    events.controlIsTold(control.number, .cancel)
  }
}
