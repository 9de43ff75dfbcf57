import Testing

@testable import Overmorrow

/// The samples and the statements of the guide `NeverResolves.md`.
@Suite(.inTurn) struct NeverResolvesGuideTests {
  @Test("15.21 15.23 debugPrint and pending(upstreamOf:) show what one promise waits for")
  func onePromise() {
    var text = ""
    func debugPrint(_ promise: Promise<String, any Error>) { text = promise.debugDescription }
    func print(_ pending: PendingPromises) { text = pending.description }
    let lines = PromiseDiagnostics.checking { () -> Promise<String, any Error>.Resolver in
      let (name, resolver) = Promise<String, any Error>.makeWithResolver()
      let greeting = name.map(on: .utility) { "Hello, \($0)" }
      debugPrint(greeting)
      #expect(
        text.hasPrefix("Promise<String, Error>(unresolved, made at DocumentationTests/NeverResolvesGuideTests.swift:"))
      #expect(text.hasSuffix(", on utility, waits for the promise before it)"))

      print(PromiseDiagnostics.pending(upstreamOf: greeting))

      #expect(text.split(separator: "\n").count == 3)
      #expect(text.contains(", waits for its resolver\n  #"))
      return resolver
    }
    lines.result.cancel()
  }

  @Test("15.18 pending() lists the promises of the whole program")
  func program() {
    let logged = Recorder<String>()
    let log = logged.record
    let resolver = PromiseDiagnostics.checking { Promise<Int, Reason>.makeWithResolver().1 }.result
    let pending = PromiseDiagnostics.pending()
    if pending.entries.contains(where: { $0.age > .seconds(30) }) { log(pending.description) }
    // Takes all entries, because other tests may have more pending promises than a list shows.
    let all = PendingPromises.snapshot(limit: .max).entries
    #expect(all.contains { $0.origin?.hasPrefix("DocumentationTests/NeverResolvesGuideTests.swift:") == true })
    #expect(pending.entries.count <= PendingPromises.limit)
    #expect(logged.entries.allSatisfy { $0 == pending.description })
    resolver.cancel()
  }
}
