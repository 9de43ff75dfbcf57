import Foundation
import Overmorrow
import OvermorrowFoundation

/// A transport that a test drives. It stores the receiver and the resolver of each request.
final class DrivenTransport: HTTPTransport {
  typealias Call = (receiver: HTTPReceiver, resolver: Promise<Void, any Error>.Resolver)

  let calls = Recorder<Call>()
  private let answer: @Sendable (HTTPReceiver) -> Void

  /// Creates a transport that calls a closure with the receiver inside `send`.
  init(answer: @escaping @Sendable (HTTPReceiver) -> Void = { _ in }) { self.answer = answer }

  func send(_ request: URLRequest, body: UploadSource?, to receiver: HTTPReceiver) -> Promise<Void, any Error> {
    let (promise, resolver) = Promise<Void, any Error>.makeWithResolver()
    resolver.onRequestCancel(on: .immediate) { $0.cancel() }
    calls.record((receiver, resolver))
    answer(receiver)
    return promise
  }
}
