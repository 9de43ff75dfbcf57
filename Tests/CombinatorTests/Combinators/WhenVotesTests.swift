import Overmorrow
import Testing

/// How `when` takes part in cancellation; both forms of `when(fulfilled:)`, and `when(first:)`.
@Suite(.inTurn) struct WhenVotesTests {
  enum Form: CaseIterable {
    case array
    case tuple
    case first
  }

  /// What combines two promises; a promise that ends like them, and takes its vote with it.
  private static func combine(_ form: Form, _ promises: [Promise<Int, Flaw>]) -> Promise<Int, Flaw> {
    switch form {
    case .array:
      let all = when(fulfilled: promises)
      return all.map(on: .immediate) { $0[0] + $0[1] }
    case .tuple:
      let both = when(fulfilled: promises[0], promises[1])
      return both.map(on: .immediate) { $0 + $1 }
    case .first: return when(first: promises)
    }
  }

  @Test("5.1 5.2 3.6 other children cannot cancel an input that a when waits for", arguments: Form.allCases)
  func isAVote(form: Form) {
    let ((all, child), inputs) = Input.feed(2) { (Self.combine(form, $0), $0[1].makeChild()) }
    child.requestCancel()
    #expect(requests(inputs) == [0, 0])
    all.requestCancel()
    #expect(requests(inputs) == [1, 1])
    withExtendedLifetime(inputs) {}
  }

  @Test("5.1 5.2 the inputs decide: one that resolves although it was asked counts", arguments: Form.allCases)
  func disobedient(form: Form) {
    let (all, inputs) = Input.feed(2) { Self.combine(form, $0) }
    all.requestCancel()
    for input in inputs { input.resolver.fulfill(with: 3) }
    #expect(all.result == .value(form == .first ? 3 : 6))
  }

  @Test("5.1 5.2 3.2 the last request of the children of a when goes through it", arguments: Form.allCases)
  func children(form: Form) {
    let (children, inputs) = Input.feed(2) { promises in
      let all = Self.combine(form, promises)
      return [all.makeChild(), all.makeChild()]
    }
    children[0].requestCancel()
    #expect(requests(inputs) == [0, 0])
    children[1].requestCancel()
    #expect(requests(inputs) == [1, 1])
    withExtendedLifetime(inputs) {}
  }

  @Test("5.1 5.2 inputs that cancel inside the request cancel the when inside it", arguments: Form.allCases)
  func obedient(form: Form) {
    let (all, inputs) = Input.feed(2) { Self.combine(form, $0) }
    for input in inputs { input.resolver.onRequestCancel(on: .immediate) { $0.cancel() } }
    all.requestCancel()
    #expect(all.result == .cancelled)
    #expect(requests(inputs) == [1, 1])
  }

  @Test("5.1 5.2 a request after the result asks nobody", arguments: Form.allCases)
  func late(form: Form) {
    let (all, inputs) = Input.feed(2) { Self.combine(form, $0) }
    inputs[0].resolver.reject(with: "no")
    #expect(all.result == .error("no"))
    all.requestCancel()
    #expect(requests(inputs) == [0, 0])
    withExtendedLifetime(inputs) {}
  }
}
