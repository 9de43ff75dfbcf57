import ExplorerContexts

@testable import Overmorrow
@testable import OvermorrowEngine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The processor time that this process has used, in seconds.
func secondsUsed() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

/// Explores one program in its own process.
func explore(_ program: Program, _ options: Options, _ totals: UnsafeMutablePointer<Totals>) {
  Findings.explored = (program, options)
  explorer_limit(Int32(options.seconds.rounded(.up)) * 10 + 30)
  explorer_on_crash { signal in Findings.report(signal == SIGVTALRM ? "does not end" : "crashed with signal \(signal)")
  }
  Explorer.current = Scheduler.shared
  let scheduler = Scheduler.shared
  // This initialises statics, which belong to no execution.
  scheduler.isWarmingUp = true
  scheduler.search = Search(.replay([]))
  Run.execute(Program.touchingStatics)
  Run.execute(program)
  scheduler.isWarmingUp = false

  Run.outcomes = []
  let isComplete = explore(program, options.mode ?? program.mode, options, totals)
  if let expected = program.outcomes, expected != Run.outcomes, isComplete, options.mode == nil {
    scheduler.fail("the outcomes are \(Run.outcomes.sorted()) and not \(expected.sorted())")
  }
  if program.known != nil, isComplete, options.mode == nil {
    print("The known finding is gone from “\(program.name)”.")
  }
  // A program that cannot be explored completely in the time is explored again within narrow bounds, with a longer time
  // limit.
  if !isComplete, options.mode == nil {
    var more = options
    more.seconds *= 5
    _ = explore(program, .bounded(preemptions: 2, stale: 1), more, totals)
  }
  if case .replay = options.mode { print(scheduler.trace.text()) }
}

/// Explores a program in one mode. Returns `false` if the time limit is reached before the end.
func explore(
  _ program: Program, _ mode: Mode, _ options: Options, _ totals: UnsafeMutablePointer<Totals>
) -> Bool {
  let scheduler = Scheduler.shared
  scheduler.search = Search(mode)
  scheduler.resetFigures()
  let start = secondsUsed()
  var isStopped = false
  var isAtEnd = false
  while !isAtEnd, !isStopped {
    Run.execute(program)
    isAtEnd = !scheduler.search.advance()
    // This program may never execute the mutated code.
    if scheduler.search.executions == 10_000, options.isMutated, !Explorer.isMutationReached { isStopped = true }
    if !isAtEnd, scheduler.search.executions % 64 == 0, secondsUsed() - start > options.seconds { isStopped = true }
  }
  let executions = scheduler.search.executions
  unsafe totals.pointee.executions += executions
  unsafe totals.pointee.steps += scheduler.totalSteps
  if isStopped { unsafe totals.pointee.stopped += 1 } else { unsafe totals.pointee.complete += 1 }
  let text =
    "\(isStopped ? "stopped" : "ok     ") \(executions) executions, \(scheduler.pruned) of them cut, "
    + "\(scheduler.totalSteps / max(1, executions)) steps each, \(Int((secondsUsed() - start) * 1000)) ms, \(mode): \(program.name)"
  if !options.isQuiet { print(text) }
  return !isStopped
}

nonisolated(unsafe) var job = {}

/// The totals of all processes.
struct Totals {
  var executions = 0
  var steps = 0
  var complete = 0
  var stopped = 0
}

func run() throws(Options.Problem) -> Int32 {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  let all =
    Program.litmus + Program.reading + Program.resolving + Program.cancelling + Program.tokens + Program.adopting
    + Program.waiting + Program.leaving + Program.sideTables + Program.newcomers + Program.deliveries
    + Program.deferring
  // The full name of a program stands for this program only, although it may be a part of other names.
  let names = Set(all.map(\.name))
  let programs = all.filter { program in
    let isChosen = options.only.contains { names.contains($0) ? program.name == $0 : program.name.contains($0) }
    return (options.only.isEmpty || isChosen) && !options.except.contains(program.name)
  }
  if options.isList {
    for program in programs { print("\(program.name)  [\(program.mode)]") }
    return 0
  }
  let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
  let totals = memory!.bindMemory(to: Totals.self, capacity: 1)
  totals.initialize(to: Totals())
  var found = 0
  var running = 0
  func waitForOne() {
    var status: Int32 = 0
    guard wait(&status) > 0 else { return }
    running -= 1
    if status != 0 { found += 1 }
  }
  for program in programs {
    while running >= options.jobs { waitForOne() }
    if options.stopsEarly, found > 0 { break }
    if explorer_fork() == 0 {
      job = { explore(program, options, totals) }
      // The main thread is not used, because the engine would take a blocking wait there for a wait on the main queue.
      explorer_on_thread { job() }
      exit(0)
    }
    running += 1
  }
  while running > 0 { waitForOne() }
  let sum = totals.pointee
  print(
    "\(programs.count) programs, \(sum.executions) executions, \(sum.steps) steps; \(sum.complete) explorations complete, "
      + "\(sum.stopped) stopped; \(found) programs found wrong")
  return found == 0 ? 0 : 1
}

setlinebuf(stdout)
do {
  exit(try run())
} catch {
  print(error.text)
  exit(2)
}
