import Overmorrow
import OvermorrowFlow
import Testing

/// Random programs of jobs and tasks that use a limiter, in comparison with a model.
@Suite(.heavy) struct LimiterModelTests {
  @Test("13.1 13.3 13.11 13.13 13.14 13.16 13.17 13.18 a limiter behaves as a model says, in random programs")
  func model() {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    var generator = SeededGenerator(seed: 31)
    for round in 0..<scaled(100_000) {
      var program = LimiterProgram(using: &generator)
      for _ in 0..<Int.random(in: 1...24, using: &generator) {
        program.step(using: &generator)
        if program.fault != nil { break }
      }
      if program.fault == nil { program.finish() }
      guard let fault = program.fault else { continue }
      Issue.record("round \(round): \(program.log.joined(separator: ", ")): \(fault)")
      return
    }
  }
}

/// A random program. Everything runs on the thread of the test.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
private struct LimiterProgram {
  private var model: LimiterModel
  private var bench: LimiterBench
  private(set) var log: [String]

  init(using generator: inout SeededGenerator) {
    let width = Int.random(in: 1...3, using: &generator)
    let maxPending = Bool.random(using: &generator) ? nil : Int.random(in: 0...3, using: &generator)
    let maxWait = Bool.random(using: &generator) ? nil : Int.random(in: 0...4, using: &generator)
    model = LimiterModel(width: width, maxPending: maxPending, maxWait: maxWait)
    bench = LimiterBench(width: width, maxPending: maxPending, maxWait: maxWait.map { .seconds($0) })
    log = ["width \(width), \(maxPending ?? -1) pending, wait \(maxWait ?? -1)"]
  }

  mutating func step(using generator: inout SeededGenerator) {
    switch Int.random(in: 0..<16, using: &generator) {
    case 0...3: submitJob(using: &generator)
    case 4...6: submitTask(using: &generator)
    case 7, 8:
      guard let call = model.all(.running).randomElement(using: &generator) else { return }
      let outcome: LimiterModel.Outcome = Bool.random(using: &generator) ? .value : .failure
      log.append("\(outcome) \(call)")
      model.end(call, outcome)
      bench.end(call, outcome)
    case 9: cancelSome(using: &generator)
    case 10:
      guard let call = (model.all(.waiting) + model.all(.running)).randomElement(using: &generator) else { return }
      log.append("cancel \(call)")
      cancel(call)
    case 11: changePriority(using: &generator)
    case 12: raisePriority(using: &generator)
    case 13:
      let width = Int.random(in: 1...4, using: &generator)
      log.append("width \(width)")
      model.width = width
      bench.limiter.width = width
    case 14:
      if Int.random(in: 0..<4, using: &generator) > 0 { return }
      log.append("cancel all")
      model.cancelAll()
      bench.limiter.cancelAll()
    default:
      let time = Int.random(in: 1...3, using: &generator)
      log.append("wait \(time)")
      model.advance(by: time)
      bench.clock.advance(by: .seconds(time))
    }
    bench.runTasks()
  }

  private mutating func submitJob(using generator: inout SeededGenerator) {
    var call = LimiterModel.Call()
    call.priority = Int.random(in: 0...2, using: &generator)
    call.endsAtOnce = Int.random(in: 0..<4, using: &generator) == 0
    call.complies = Bool.random(using: &generator)
    if call.complies, Int.random(in: 0..<3, using: &generator) == 0 {
      var successor = LimiterModel.Call()
      successor.priority = Int.random(in: 0...2, using: &generator)
      successor.endsAtOnce = Bool.random(using: &generator)
      call.successor = model.calls.count
      model.calls.append(successor)
    }
    let number = model.calls.count
    model.calls.append(call)
    log.append("job \(number)\(call.brief)")
    model.submit(number)
    bench.submitJob(number, in: model.calls)
  }

  private mutating func submitTask(using generator: inout SeededGenerator) {
    var call = LimiterModel.Call(isTask: true)
    call.priority = Int.random(in: 0...2, using: &generator)
    let priorities: [TaskPriority] = [.low, .medium, .high]
    call.taskPriority = priorities.randomElement(using: &generator) ?? .low
    call.endsAtOnce = Int.random(in: 0..<4, using: &generator) == 0
    let number = model.calls.count
    model.calls.append(call)
    log.append("task \(number)\(call.brief)")
    model.submit(number)
    bench.submitTask(number, call)
  }

  /// A running task ends when it is cancelled, because it waits for a promise.
  private mutating func cancel(_ call: Int) {
    if !model.calls[call].isTask {
      model.cancel([call])
      bench.cancel([call])
    } else {
      model.end(call, .cancelled)
      bench.tasks[call]?.cancel()
    }
  }

  private mutating func cancelSome(using generator: inout SeededGenerator) {
    let jobs = (model.all(.waiting) + model.all(.running)).filter { !model.calls[$0].isTask }
    let some = jobs.shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator))
    log.append("cancel \(some)")
    model.cancel(Array(some))
    bench.cancel(Array(some))
  }

  private mutating func changePriority(using generator: inout SeededGenerator) {
    let jobs = model.calls.indices.filter { !model.calls[$0].isTask && model.calls[$0].phase != .new }
    guard let job = jobs.randomElement(using: &generator), let promise = bench.promise(of: job) else { return }
    let priority = Int.random(in: 0...2, using: &generator)
    log.append("priority \(priority) of \(job)")
    let isWaiting = model.calls[job].phase == .waiting
    if isWaiting { model.calls[job].priority = priority }
    if bench.limiter.setPriority(priority, of: promise) != isWaiting { log.append("wrong answer") }
  }

  private mutating func raisePriority(using generator: inout SeededGenerator) {
    guard let task = model.all(.waiting).filter({ model.calls[$0].isTask }).randomElement(using: &generator) else {
      return
    }
    log.append("raise \(task)")
    model.calls[task].taskPriority = .high
    bench.tasks[task]?.escalatePriority(to: .high)
  }

  /// Ends all calls.
  mutating func finish() {
    log.append("finish")
    while let call = model.all(.running).first {
      model.end(call, .value)
      bench.end(call, .value)
      bench.runTasks()
    }
    bench.drop()
  }

  /// The difference between the limiter and the model.
  var fault: String? {
    let limiter = bench.limiter
    if log.last == "wrong answer" { return "setPriority has returned the wrong answer" }
    let counts = (limiter.runningCount, limiter.pendingCount)
    if counts != (model.runningCount, model.pendingCount) {
      return "\(counts) run and wait instead of \((model.runningCount, model.pendingCount))"
    }
    let starts = bench.starts.entries
    if starts != model.starts { return "\(starts) started instead of \(model.starts)" }
    let asked = bench.asked.entries.sorted()
    let expected = model.calls.indices.filter { model.calls[$0].isAsked }
    if asked != expected { return "\(asked) were asked instead of \(expected)" }
    for (number, call) in model.calls.enumerated() {
      let outcome: LimiterModel.Outcome? = if case .ended(let outcome) = call.phase { outcome } else { nil }
      let found = bench.outcome(of: number, call)
      if found != outcome { return "\(number) is \(String(describing: found)), not \(String(describing: outcome))" }
    }
    if model.pendingCount == 0, bench.clock.sleeperCount > 0 { return "a timer is left" }
    return nil
  }
}

extension LimiterModel.Call {
  fileprivate var brief: String {
    "(\(priority)\(isTask ? " \(taskPriority)" : "")\(endsAtOnce ? " brief" : "")\(complies ? " complies" : "")"
      + (successor.map { ", then \($0)" } ?? "") + ")"
  }
}
