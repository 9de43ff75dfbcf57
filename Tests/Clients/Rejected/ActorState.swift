import Dispatch
import Overmorrow

actor Account {
  var balance = 0

  func follow(_ promise: Promise<Int, any Error>, on queue: DispatchQueue, other: Account) {
    promise.then(on: .queue(queue)) { self.balance += $0 }  // error: actor-isolated property
    promise.then(on: .actor(other)) { _ in other.assumeIsolated { _ in self.balance = 0 } }  // error: actor-isolated
  }
}

func follow(_ promise: Promise<Int, any Error>, account: Account) {
  var sum = 0
  promise.then { sum += $0 }  // error: mutation of captured var 'sum' in concurrently-executing code
  promise.then { account.balance += $0 }  // error: actor-isolated property 'balance' can not be mutated from
}
