import Overmorrow
import Testing

@Suite(.inTurn) struct ReflectingTests {
  private func dumped(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  @Test("1.21 dump shows the result and an identity that only copies share")
  func resolved() {
    let value = Promise<[Int], Flaw>(fulfilled: [7, 8])
    let copy = value
    let identity = copy.mirrored("identity") as? String ?? "nothing"
    #expect(identity.hasPrefix("0x"))
    #expect(identity != Promise<[Int], Flaw>(fulfilled: [7, 8]).mirrored("identity") as? String)
    #expect(
      dumped(value) == """
        ▿ Promise<Array<Int>, Flaw>(value([7, 8]))
          - identity: "\(identity)"
          - state: "fulfilled"
          ▿ value: 2 elements
            - 7
            - 8

        """)
    let error = Promise<Int, Flaw>(rejected: "no")
    #expect(error.mirrored("state") as? String == "rejected")
    #expect(error.mirrored("error") as? Flaw == "no")
    let cancelled = Promise<Int, Flaw>(with: .cancelled)
    #expect(Mirror(reflecting: cancelled).children.map(\.label) == ["identity", "state"])
    #expect(cancelled.mirrored("state") as? String == "cancelled")
  }

  @Test("1.21 dump of a pending promise counts interested children and shows a request")
  func unresolved() {
    let place = "\(#fileID):\(#line + 2)"
    // In a scope, so that the source location is known in all builds.
    let (promise, resolver) = PromiseDiagnostics.checking { Promise<Int, Flaw>.makeWithResolver() }.result
    #expect(
      dumped(promise) == """
        ▿ Promise<Int, Flaw>(unresolved, made at \(place), waits for its resolver)
          - identity: "\(promise.mirrored("identity") ?? "nothing")"
          - state: "unresolved"
          - hasRequestedCancel: false
          - interestedChildren: 0
          - waitsFor: "its resolver"
          - origin: "\(place)"

        """)
    let children = [promise.makeChild(), promise.map(on: .immediate) { $0 }, promise.makeChild()]
    _ = promise.tap(on: .immediate) { _ in }
    #expect(promise.mirrored("interestedChildren") as? Int == 3)
    children[0].requestCancel()
    #expect(promise.mirrored("interestedChildren") as? Int == 2)
    #expect(children[0].mirrored("hasRequestedCancel") as? Bool == true)
    #expect(promise.mirrored("hasRequestedCancel") as? Bool == false)
    promise.requestCancel()
    #expect(promise.mirrored("hasRequestedCancel") as? Bool == true)
    withExtendedLifetime(resolver) {}
  }

  @Test("1.21 dump of a pending promise shows its state")
  func states() {
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let (follower, second) = Promise<Int, Flaw>.makeWithResolver()
    second.resolve(with: promise)
    #expect(follower.mirrored("state") as? String == "unresolved, follows another promise")
    let step = promise.map(on: .immediate) { $0 }
    #expect(step.mirrored("state") as? String == "unresolved")
    let seen = Recorder<String>()
    let own = Recorder<Promise<Int, Flaw>>()
    own.record(
      promise.map(on: .immediate) { value in
        for promise in own.entries { seen.record(promise.mirrored("state") as? String ?? "nothing") }
        return value
      })
    resolver.fulfill(with: 1)
    #expect(seen.entries == ["unresolved, its callback runs"])
  }

  @Test("15.27 dump of a resolver shows the state of its promise")
  func resolvers() {
    let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let lines = { (value: Any) in self.dumped(value).split(separator: "\n").dropFirst() }
    #expect(lines(resolver) == lines(promise) && lines(promise).count > 4)
    resolver.fulfill(with: 1)
    #expect(lines(resolver) == ["  - state: \"resolved\""])
  }
}

extension Promise {
  /// Returns the child with this label in the mirror of the promise.
  func mirrored(_ name: String) -> Any? { Mirror(reflecting: self).children.first { $0.label == name }?.value }
}
