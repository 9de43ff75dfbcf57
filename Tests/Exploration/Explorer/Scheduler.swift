import ExplorerContexts

@testable import Overmorrow
@testable import OvermorrowEngine

/// Runs a program repeatedly, each time with another schedule, and checks each execution.
///
/// The threads of a program are contexts of one system thread. One of them runs at a time, until its next access to an
/// atomic or a lock; then the scheduler chooses the next thread. The beginning and the end of a program run on the
/// context of `main`, before and after all threads.
final class Scheduler: Explorer {
  struct Worker {
    let context: OpaquePointer
    var body: (() -> Void)?
    var isFinished = true
    var access: Access?
    var location: Location?
    /// The steps that happened before, by the rules of the memory model.
    var known = Clock()
    /// The preceding steps in the order of dependent events.
    var past = Clock()
    var local = ThreadLocal.State()
  }

  /// Retains the memory of an object that may have ended, so that its address is not reused. Because threads may see
  /// old values, a reused address would look as if the allocator had failed to synchronise the threads.
  private struct Kept { unowned let object: AnyObject }

  static let shared = Scheduler()

  var search = Search(.all)
  let trace = Trace()
  var workers: ContiguousArray<Worker> = []
  private(set) var current = 0
  private(set) var execution = 0
  var events: ContiguousArray<Event> = []
  private var locations: ContiguousArray<Location> = []
  private var cells: ContiguousArray<Cell> = []
  private var fields: ContiguousArray<PlainField> = []
  private var memory: [Kept] = []
  /// Whether the threads are being advanced to their first accesses, one at a time.
  private var isPreparing = false
  /// Whether the rest of the execution has been explored before. It then only runs to its end.
  private(set) var isIdle = false
  private(set) var isRunning = false
  /// Whether new cells belong to no execution.
  var isWarmingUp = false
  private(set) var steps = 0
  private(set) var totalSteps = 0
  private(set) var pruned = 0
  private let stepLimit = 4000
  private let local = ThreadLocal.current

  override private init() {
    super.init()
    workers = [Worker(context: explorer_context_main())]
    for _ in 1...3 { workers.append(Worker(context: explorer_context_make { Scheduler.shared.work() })) }
  }

  // MARK: An execution

  /// Runs the threads to their ends.
  func run(_ bodies: [() -> Void]) {
    for (index, body) in bodies.enumerated() {
      workers[index + 1].body = body
      workers[index + 1].isFinished = false
      workers[index + 1].known = workers[0].known
      workers[index + 1].known[index + 1] = 1
      workers[index + 1].past = .zero
    }
    search.begin()
    isPreparing = true
    for index in bodies.indices { switchTo(index + 1) }
    isPreparing = false
    reschedule()
    for index in bodies.indices {
      workers[0].known.join(workers[index + 1].known)
      workers[index + 1].body = nil
      workers[index + 1].access = nil
      workers[index + 1].location = nil
    }
  }

  func resetFigures() {
    totalSteps = 0
    pruned = 0
  }

  /// Begins an execution; `end()` ends it.
  func begin() {
    execution += 1
    CoreWatch.number = 0
    isRunning = true
    isIdle = false
    steps = 0
    workers[0].known = Clock(1, 0, 0, 0)
    workers[0].past = .zero
    events.removeAll(keepingCapacity: true)
    trace.begin()
  }

  /// Removes the objects of the execution.
  ///
  /// - Returns: The cells that have not ended.
  func end() -> [Cell] {
    isRunning = false
    var left: [Cell] = []
    for location in locations {
      let cell = location.cell
      if isWarmingUp {
        cell.value = location.value
      } else if cell.execution == -1, cell.value != location.value {
        left.append(cell)
      }
    }
    for cell in cells {
      if cell.isEnded {
        unsafe Unmanaged.passUnretained(cell).release()
      } else if isWarmingUp {
        cell.execution = -1
      } else {
        left.append(cell)
      }
    }
    for field in fields where field.isEnded { unsafe Unmanaged.passUnretained(field).release() }
    if isIdle { pruned += 1 }
    totalSteps += steps
    locations.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    memory.removeAll(keepingCapacity: true)
    return left
  }

  // MARK: Threads

  private func work() {
    while true {
      workers[current].body?()
      workers[current].isFinished = true
      workers[current].access = nil
      if isPreparing { switchTo(0) } else { reschedule() }
    }
  }

  private func switchTo(_ next: Int) {
    guard next != current else { return }
    let from = current
    workers[from].local = local.fields
    local.fields = workers[next].local
    current = next
    unsafe explorer_context_switch(workers[from].context, workers[next].context)
  }

  private func canContinue(_ worker: Int) -> Bool {
    guard !workers[worker].isFinished, let access = workers[worker].access, let location = workers[worker].location
    else { return false }
    if access.kind == .take { return location.value > 0 }
    return true
  }

  /// Lets a thread continue. Returns when the calling thread is chosen again.
  private func reschedule() {
    var enabled: UInt8 = 0
    for worker in 1...3 where canContinue(worker) { enabled |= 1 << UInt8(worker) }
    node = -1
    if enabled == 0 {
      guard workers[1...3].allSatisfy(\.isFinished) else { fail("no thread can continue") }
      return switchTo(0)
    }
    if enabled & (enabled - 1) == 0 {
      if !isIdle, enabled & ~search.sleeping == 0 { isIdle = true }
      return switchTo(enabled.trailingZeroBitCount)
    }
    if !isIdle {
      if let choice = search.chooseThread(of: enabled, current: current) {
        node = choice.node
        return switchTo(choice.thread)
      }
      isIdle = true
    }
    switchTo(enabled & (1 << UInt8(current)) != 0 ? current : enabled.trailingZeroBitCount)
  }

  /// The choice through which the current thread was chosen.
  var node = -1

  // MARK: Calls of the engine

  override func didMake(_ cell: Cell) {
    if isRunning {
      cells.append(cell)
      if !isWarmingUp { (cell.maker, cell.made) = (current, workers[current].known[current]) }
    } else {
      cell.execution = -1
    }
  }

  override func didEnd(_ cell: Cell) { cell.isEnded = true }

  override func didMake(_ field: PlainField) { if isRunning { fields.append(field) } }

  /// Creates a field of the program that is checked for races.
  func makeField(_ name: StaticString) -> PlainField {
    let field = PlainField(name)
    _ = unsafe Unmanaged.passRetained(field)
    didMake(field)
    return field
  }

  override func keep(_ object: AnyObject) {
    if isRunning { memory.append(Kept(object: object)) }
  }

  /// Replaces the global queues while a program runs.
  var queue: WorkQueue?

  override var thread: Int { current }

  override func enqueue(_ work: @escaping @Sendable () -> Void) { queue?.enqueue(work) }

  override func touch(_ field: PlainField, _ use: PlainUse) {
    guard isRunning, !isIdle else { return }
    if field.isEnded { fail("\(name(field)) is used after the end of its core") }
    let known = workers[current].known
    if field.written > known[field.writer] {
      fail("\(name(field)) was changed by \(name(field.writer)), which \(name(current)) does not know")
    }
    if use == .read {
      field.read[current] = known[current]
    } else {
      for other in 0...3 where field.read[other] > known[other] {
        fail("\(name(field)) was read by \(name(other)), which \(name(current)) does not know")
      }
      field.writer = current
      field.written = known[current]
    }
  }

  func name(_ thread: Int) -> String { thread == 0 ? "main" : "T\(thread)" }
  private func name(_ field: PlainField) -> String { trace.name(field.core, "\(field.name)") }

  private func location(of cell: Cell) -> Location? {
    if cell.index < locations.count {
      let found = locations[cell.index]
      if found.cell === cell { return found }
    }
    // This word never changes after the first thread has started.
    let file = cell.site.file
    if file.utf8CodeUnitCount == 34, "\(file)" == "OvermorrowEngine/ThreadLocal.swift" { return nil }
    let made = Location(cell, locations.count)
    cell.index = locations.count
    locations.append(made)
    return made
  }

  override func perform(_ access: Access, on cell: Cell) -> Access.Effect {
    guard isRunning, let location = location(of: cell) else { return access.applied(to: cell) }
    if current != 0 {
      workers[current].access = access
      workers[current].location = location
      if isPreparing { switchTo(0) } else { reschedule() }
    }
    steps += 1
    if steps > stepLimit { fail("an execution has more than \(stepLimit) steps") }
    return take(access, location)
  }

  // MARK: Findings

  func fail(_ message: String) -> Never { Findings.report(message) }
}
