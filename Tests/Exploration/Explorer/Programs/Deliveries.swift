@testable import Overmorrow
@testable import OvermorrowEngine

extension Program {
  static let deliveries: [Program] = [
    Program("three threads deliver their changes") { run in
      let states = run.share(DeliveredState(), 4)
      for state in states.dropFirst() { run.thread(with: state) { $0.change(run) } }
      run.atEnd { states[0].value.expectNewest(run) }
    },
    Program("a delivery changes the state while another thread does") { run in
      let states = run.share(DeliveredState(changesInside: 1), 3)
      for state in states.dropFirst() { run.thread(with: state) { $0.change(run) } }
      run.atEnd { states[0].value.expectNewest(run) }
    },
    Program("a thread leaves deliveries to a queue while another thread changes the state") { run in
      let states = run.share(DeliveredState(changesInside: 1), 3)
      for state in states.dropFirst() { run.thread(with: state) { $0.change(run, atMost: 1) } }
      run.thread { run.queue.runOne() }
      run.atEnd { states[0].value.expectNewest(run) }
    },
    Program("a serial queue delivers the changes of two threads") { run in
      let states = run.share(DeliveredState(), 3)
      for state in states.dropFirst() { run.thread(with: state) { $0.changeForQueue(run) } }
      run.thread { run.queue.runOne() }
      run.atEnd { states[0].value.expectNewest(run) }
    },
  ]
}

/// A state that threads change without an order of memory, and the newest state that was delivered.
private final class DeliveredState: @unchecked Sendable {
  private let number = Atomic(0)
  private let delivery = SerialDelivery()
  /// A field that each delivery changes.
  private let field = Witness(0)
  private var newest = 0
  private var changesInside: Int

  init(changesInside: Int = 0) { self.changesInside = changesInside }

  func change(_ run: Run, atMost limit: Int = .max) {
    if request() { deliver(run, atMost: limit) }
  }

  func changeForQueue(_ run: Run) {
    if request() { run.queue.enqueue { if self.delivery.take() { self.report(run) } } }
  }

  func expectNewest(_ run: Run) {
    let last = number.load(ordering: .relaxed)
    run.expect(newest == last, "the state \(newest) was delivered last, and not the newest state \(last)")
    run.expect(request(), "the delivery is not idle")
  }

  private func request() -> Bool {
    number.add(1, ordering: .relaxed)
    return delivery.request()
  }

  private func deliver(_ run: Run, atMost limit: Int) {
    if delivery.deliver(atMost: limit, { report(run) }) { return }
    run.queue.enqueue { self.deliver(run, atMost: limit) }
  }

  private func report(_ run: Run) {
    field.write()
    let state = number.load(ordering: .relaxed)
    run.expect(state >= newest, "the state \(state) is delivered after the state \(newest)")
    newest = state
    guard changesInside > 0 else { return }
    changesInside -= 1
    run.expect(!request(), "a delivery must deliver its own change")
  }
}
