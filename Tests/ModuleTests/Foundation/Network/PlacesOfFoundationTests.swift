import Foundation
import Overmorrow
import OvermorrowFoundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Each function of `OvermorrowFoundation` that makes a promise, and the line of its caller.
@Suite(.inTurn) struct PlacesOfFoundationTests {
  // Each call is on the line of its entry, because the diagnostics must name this line.
  // swift-format-ignore
  static let calls: [PlacedCall] = [
    .init("NetworkSession.download(_:to:method:headers:body:retry:task:onProgress:fileID:line:)", .fails) { _ in NetworkSession(transport: StubTransport([:])).download("https://example.org/", to: target) },
    .init("NetworkSession.fetch(_:method:headers:body:retry:task:onProgress:fileID:line:)", .fails) { _ in NetworkSession(transport: StubTransport([:])).fetch("https://example.org/") },
    .init("NetworkSession.upload(_:to:method:headers:retry:task:onProgress:fileID:line:)", .fails) { _ in NetworkSession(transport: StubTransport([:])).upload(.data(Data()), to: "https://example.org/") },
    .init("PromiseOperation.init(on:fileID:line:_:)") { inner in started(PromiseOperation<Int, any Error>(on: .immediate) { resolver in resolver.resolve(with: inner.promise) }) },
    .init("PromiseOperation.init(on:fileID:line:_:)", .fails) { inner in started(PromiseOperation<Int, PlacedError>(on: .immediate) { resolver in resolver.reject(with: inner.error) }) },
    .init("URLSession.dataTaskAsPromise(for:fileID:line:)", .fails) { _ in URLSession.shared.dataTaskAsPromise(for: URLRequest(url: nowhere)) },
    .init("URLSession.dataTaskAsPromise(for:fileID:line:)", .fails) { _ in URLSession.shared.dataTaskAsPromise(for: nowhere) },
  ]

  private static let nowhere = URL(fileURLWithPath: "/no/such/file")
  private static let target = URL(fileURLWithPath: "/no/such/folder/file")

  @Test("15.58 the diagnostics name the caller's line of each function", arguments: calls)
  func places(call: PlacedCall) async { await call.check() }

  @Test("15.58 each function of the recorded interface has a call in the table")
  func complete() throws {
    let reason = "a session calls it, and its own promise has the place"
    let reasons = ["HTTPTransport.send(_:body:to:)": reason, "StubTransport.send(_:body:to:)": reason]
    #expect(try PlacedCall.missing(in: Self.calls, of: "OvermorrowFoundation", except: reasons) == [])
  }

  private static func started<Value, Failure>(_ operation: PromiseOperation<Value, Failure>) -> Promise<Value, Failure>
  {
    operation.start()
    return operation.promise
  }
}
