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
check(Objects(objects.objc()).result?.value === objects.result?.value, "an object is passed on without a copy")
let failed = Objects(rejected: Name("e"))
check(Objects(failed.objc()).result?.error?.text == "e", "an error object is passed on")
check(Objects(Objects(with: .cancelled).objc()).result?.isCancelled == true, "a cancellation is passed on")

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
check(
  Promise<NSNumber, any Error>(bridging: thrown).result?.error != nil,
  "an error that a closure throws rejects the promise")

let standard = Promise<Name, any Error>(rejected: NSError(domain: "domain", code: 3))
let standardBack = Promise<Name, any Error>(bridging: standard.objc())
check((standardBack.result?.error as NSError?)?.domain == "domain", "an NSError keeps its domain")
check((standardBack.result?.error as NSError?)?.code == 3, "an NSError keeps its code")

let lengths = Promise<Int, any Error>(
  bridging: Promise<Name, any Error>(fulfilled: Name("four")).objc(), mapValue: { $0.text.count })
check(lengths.result?.value == 4, "a closure maps a value with any error")

let half: ObjCPromise<NSNumber, Name> = Promise<Int, Name>(fulfilled: 2).objc(mapValue: { NSNumber(value: $0) })
check(
  Promise<Int, Name>(bridging: half, mapValue: { $0.intValue }).result?.value == 2, "one closure for the value suffices"
)
let other: ObjCPromise<Name, Name> = Promise<Name, Fault>(rejected: Fault(code: 5)).objc(mapError: {
  Name("\($0.code)")
})
check(
  Promise<Name, Fault>(bridging: other, mapError: { Fault(code: Int($0.text) ?? 0) }).result?.error == Fault(code: 5),
  "one closure for the error suffices")

// A request to cancel reaches the original promise, and the cancellation of the original is passed on.
func chain() -> (Objects, Objects.Resolver) {
  let (source, resolver) = Objects.makeWithResolver()
  return (Objects(source.objc()), resolver)
}
let (end, resolver) = chain()
end.requestCancel()
check(resolver.hasRequestedCancel, "a request to cancel reaches the original")
resolver.cancel()
check(end.result?.isCancelled == true, "the cancellation of the original is passed on")

// A converted token shares the state of the original.
let (pending, pendingResolver) = Objects.makeWithResolver()
let token = PromiseInvalidationToken()
pending.requestCancelOnInvalidate(token)
PromiseInvalidationToken(ObjCPromiseInvalidationToken(token)).invalidate()
check(pendingResolver.hasRequestedCancel, "a token that was converted twice invalidates the original")

// Objects are released.
weak var released: Name?
do {
  let name = Name("v")
  released = name
  check(Objects(Objects(fulfilled: name).objc()).result?.value === name, "a value is passed on")
}
check(released == nil, "an object that was converted twice is released")

print(unsafe "bridge: \(checks) checks")
