// Tests the bridge between Swift and Objective-C promises with a stand-in for the latter.

import Foundation
import Overmorrow
import OvermorrowObjC

final class Name: Sendable {
  let text: String
  init(_ text: String) { self.text = text }
}

struct Fault: Error, Equatable {
  let code: Int
}

nonisolated(unsafe) var checks = 0

func check(_ condition: Bool, _ text: String) {
  unsafe checks += 1
  if condition { return }
  print("FAILED \(text)")
  exit(1)
}

typealias Objects = Promise<Name, Name>

// Every form of conversion passes on values, errors and cancellations.
let objects = Objects(fulfilled: Name("v"))
check(Objects(objects.objc()).result?.value === objects.result?.value, "an object is the same on the other side")
let failed = Objects(rejected: Name("e"))
check(Objects(failed.objc()).result?.error?.text == "e", "an error object goes through")
check(Objects(Objects(with: .cancelled).objc()).result?.isCancelled == true, "a cancellation goes through")

func mapped(_ promise: Promise<Int, Fault>) -> Promise<Int, Fault> {
  let objects: ObjCPromise<NSNumber, Name> = promise.objc(
    mapValue: { NSNumber(value: $0) }, mapError: { Name("\($0.code)") })
  return Promise(bridging: objects, mapValue: { $0.intValue }, mapError: { Fault(code: Int($0.text) ?? 0) })
}
let numbers = Promise<Int, Fault>(fulfilled: 42)
check(mapped(numbers).result?.value == 42, "closures map the value both ways")
check(mapped(Promise(rejected: Fault(code: 7))).result?.error == Fault(code: 7), "closures map the error both ways")

let thrown: ObjCPromise<NSNumber, NSError> = numbers.objc(
  mapValue: { _ in throw Fault(code: 1) }, mapError: { $0 })
check(Promise<NSNumber, any Error>(bridging: thrown).result?.error != nil, "what a closure throws is an error")

let standard = Promise<Name, any Error>(rejected: NSError(domain: "domain", code: 3))
let standardBack = Promise<Name, any Error>(bridging: standard.objc())
check((standardBack.result?.error as NSError?)?.domain == "domain", "an NSError goes through")
check((standardBack.result?.error as NSError?)?.code == 3, "with its code")

let lengths = Promise<Int, any Error>(
  bridging: Promise<Name, any Error>(fulfilled: Name("four")).objc(), mapValue: { $0.text.count })
check(lengths.result?.value == 4, "a closure maps a value with any error")

let half: ObjCPromise<NSNumber, Name> = Promise<Int, Name>(fulfilled: 2).objc(mapValue: { NSNumber(value: $0) })
check(Promise<Int, Name>(bridging: half, mapValue: { $0.intValue }).result?.value == 2, "one closure is enough")
let other: ObjCPromise<Name, Name> = Promise<Name, Fault>(rejected: Fault(code: 5)).objc(mapError: {
  Name("\($0.code)")
})
check(
  Promise<Name, Fault>(bridging: other, mapError: { Fault(code: Int($0.text) ?? 0) }).result?.error == Fault(code: 5),
  "also for the error")

// A request to cancel passes in both directions, and counts as one vote.
func chain() -> (Objects, Objects.Resolver) {
  let (source, resolver) = Objects.makeWithResolver()
  return (Objects(source.objc()), resolver)
}
let (end, resolver) = chain()
end.requestCancel()
check(resolver.hasRequestedCancel, "a request to cancel goes through")
resolver.cancel()
check(end.result?.isCancelled == true, "and the cancellation comes back")

// A token is the same object on both sides.
let (pending, pendingResolver) = Objects.makeWithResolver()
let token = PromiseInvalidationToken()
pending.requestCancelOnInvalidate(token)
PromiseInvalidationToken(ObjCPromiseInvalidationToken(token)).invalidate()
check(pendingResolver.hasRequestedCancel, "a token that has been there and back is the same")

// Objects are released.
weak var crossed: Name?
do {
  let name = Name("v")
  crossed = name
  check(Objects(Objects(fulfilled: name).objc()).result?.value === name, "an object goes through")
}
check(crossed == nil, "an object that has been there and back is released")

print(unsafe "bridge: \(checks) checks")
