import Dispatch
import Foundation
import Overmorrow

// A program that ends in the way that its argument selects. Its main is not async.

let (unresolved, resolver) = Promise<Int, any Error>.makeWithResolver()

switch CommandLine.arguments[1] {
case "callbacks":
  unresolved.map(on: .utility) { $0 + 1 }.then { print($0) }.always { _ in exit(0) }
case "body":
  Promise<Int, any Error> { $0.fulfill(with: 1) }.then(on: .utility) { print($0) }
case "nothingUnresolved":
  resolver.fulfill(with: 1)
  print(try unresolved.map(on: .utility) { $0 + 1 }.wait())
case "otherQueue":
  unresolved.then(on: .utility) { print($0) }
case "dispatchMain":
  unresolved.then { print($0) }
  DispatchQueue.global().async { DispatchQueue.main.sync { exit(0) } }
  dispatchMain()
case "exitInCallback":
  unresolved.then { print($0) }
  Promise<Int, any Error>(on: .utility) { $0.fulfill(with: 1) }.then { _ in exit(0) }
  dispatchMain()
case "runLoop":
  unresolved.then { print($0) }
  RunLoop.main.run(until: .now)
  exit(0)
case "otherThread":
  unresolved.then { print($0) }
  Thread.detachNewThread { exit(0) }
  while true { pause() }
default: exit(2)
}
