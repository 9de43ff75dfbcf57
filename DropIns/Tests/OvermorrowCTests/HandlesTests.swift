import COvermorrow
import Overmorrow
import OvermorrowC
import TestSupport
import Testing

/// Promises and tokens that are passed from Swift to C and back.
@Suite(.inTurn)
struct HandlesTests {
  final class Name: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
  }

  struct Fault: Error, Hashable {
    let code: Int
  }

  typealias Names = Promise<Name, Fault>

  /// Passes the promise through the C interface and back.
  private func thereAndBack(_ promise: Names) -> Names {
    let foreign = promise.foreign(
      mapValue: { ForeignObject(retaining: $0) }, mapError: { ForeignObject(retaining: Name("\($0.code)")) })
    let handle = unsafe foreign.retainedHandle()
    defer { unsafe ovm_promise_release(handle) }
    return Names(
      foreign: unsafe ForeignPromise(handle: handle),
      mapValue: { $0.object as? Name ?? Name("?") },
      mapError: { Fault(code: Int(($0.object as? Name)?.text ?? "") ?? -1) })
  }

  @Test("values, errors and cancellations pass through the C interface")
  func results() {
    let name = Name("v")
    #expect(thereAndBack(Names(fulfilled: name)).result?.value === name)
    #expect(thereAndBack(Names(rejected: Fault(code: 7))).result?.error == Fault(code: 7))
    #expect(thereAndBack(Names(with: .cancelled)).result?.isCancelled == true)
  }

  @Test("a pending promise is resolved on the other side without a submission")
  func pending() {
    let (promise, resolver) = Names.makeWithResolver()
    let other = thereAndBack(promise)
    #expect(other.result == nil)
    resolver.fulfill(with: Name("v"))
    #expect(other.result?.value?.text == "v")
  }

  @Test("a request to cancel passes through the C interface as one vote")
  func requests() {
    let (promise, resolver) = Names.makeWithResolver()
    let (first, second) = (thereAndBack(promise), thereAndBack(promise))
    // Released because its handle would count as a vote.
    _ = consume promise
    first.requestCancel()
    #expect(!resolver.hasRequestedCancel)
    second.requestCancel()
    #expect(resolver.hasRequestedCancel)
    resolver.cancel()
    #expect(first.result?.isCancelled == true)
  }

  @Test("an object that passes through the C interface is released")
  func lifetime() {
    weak var last: Name?
    do {
      let name = Name("v")
      last = name
      #expect(thereAndBack(Names(fulfilled: name)).result?.value === name)
    }
    #expect(last == nil)
  }

  @Test("a handle refers to the promise that it was made from")
  func identity() {
    let promise = ForeignPromise(fulfilled: ForeignObject(retaining: Name("v")))
    let handle = unsafe promise.retainedHandle()
    #expect(unsafe ForeignPromise(handle: handle) == promise)
    unsafe ovm_promise_release(handle)
  }

  @Test("a token that passes through the C interface is the same token")
  func tokens() {
    let token = PromiseInvalidationToken()
    let handle = unsafe token.retainedHandle()
    #expect(unsafe PromiseInvalidationToken(handle: handle) == token)
    let (promise, resolver) = Names.makeWithResolver()
    promise.requestCancelOnInvalidate(token)
    unsafe ovm_token_invalidate(handle)
    #expect(resolver.hasRequestedCancel)
    unsafe ovm_token_release(handle)
  }
}
