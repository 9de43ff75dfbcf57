import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// The deliveries of a state that several threads change.
@Suite(.inTurn) struct SerialDeliveryTests {
  private let delivery = SerialDelivery()

  @Test("only a request that finds no other one obliges its caller to deliver")
  func requests() {
    for _ in 0..<2 {
      #expect(delivery.request())
      #expect(!delivery.request())
      var count = 0
      #expect(delivery.deliver { count += 1 })
      #expect(count == 1)
    }
  }

  @Test("requests inside a delivery are served by one more delivery, which does not nest")
  func reentered() {
    var (count, depth) = (0, 0)
    #expect(delivery.request())
    delivery.deliver {
      (count, depth) = (count + 1, depth + 1)
      #expect(depth == 1)
      if count < 4 { #expect([delivery.request(), delivery.request()] == [false, false]) }
      depth -= 1
    }
    #expect(count == 4)
    #expect(delivery.request())
  }

  @Test("a caller with a limit leaves the rest of the deliveries to another call")
  func limit() {
    var count = 0
    #expect(delivery.request())
    for end in [3, 6] {
      let isOver = delivery.deliver(atMost: 3) {
        count += 1
        if count < 8 { _ = delivery.request() }
      }
      #expect(!isOver)
      #expect(count == end)
      #expect(!delivery.request())
    }
    #expect(delivery.deliver(atMost: 3) { count += 1 })
    #expect(count == 7)
  }

  @Test("taken requests are served, and the next request needs a turn")
  func taken() {
    #expect(!delivery.take())
    #expect(delivery.request())
    #expect(!delivery.request())
    #expect(delivery.take())
    #expect(!delivery.take())
    #expect(delivery.request())
  }

  /// A number that threads increase, and what was delivered.
  private final class State: @unchecked Sendable {
    // Sendable: one delivery at a time uses the fields that change.
    let number = Counter()
    let delivery = SerialDelivery()
    var newest = 0
    var deliveries = 0

    func change() {
      number.increment()
      guard delivery.request() else { return }
      delivery.deliver {
        deliveries += 1
        newest = number.count
      }
    }

    var fault: String? {
      if newest == number.count, 1...number.count ~= deliveries, delivery.request() { return nil }
      return "\(number.count) changes, \(deliveries) deliveries, the last one of \(newest)"
    }
  }

  @Test("after a race of changes, the newest state was delivered last")
  func races() async {
    await race(
      rounds: scaled(20_000), { State() }, { $0.change() }, { $0.change() },
      { state in
        state.change()
        state.change()
      }, check: { $0.fault })
  }

  @Test("one delivery at a time runs while threads change the state all the time")
  func excludes() {
    let (state, changes) = (State(), scaled(20_000))
    DispatchQueue.concurrentPerform(iterations: 4) { _ in for _ in 0..<changes { state.change() } }
    #expect(state.number.count == 4 * changes)
    #expect(state.fault == nil)
  }
}
