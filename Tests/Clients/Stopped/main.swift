// A program that stops with pending promises, for the tests of the debugger script.
import Dispatch
import Overmorrow

let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
let chain = promise.map(on: .utility) { $0 + 1 }.then(on: .main) { print($0) }

let queue = DispatchQueue(label: "orders")
queue.suspend()
let order = Promise<Int, any Error>(on: .queue(queue)) { $0.fulfill(with: 1) }.named("order 17, delayed")
let step = Promise<Int, any Error>(fulfilled: 1).named("ü").map(on: .queue(queue)) { $0 }

let (adopter, follower) = Promise<Int, any Error>.makeWithResolver()
follower.resolve(with: order)
let (asked, handled) = Promise<Int, any Error>.makeWithResolver()
handled.onRequestCancel(on: .immediate) { $0.cancel() }
let both = when(fulfilled: [promise, asked])
let later = Promise<Int, any Error>(on: .immediate, fulfilled: 1, after: .seconds(3600))
let ended = Promise<Int, any Error>(fulfilled: 1)

fatalError("stopped")
