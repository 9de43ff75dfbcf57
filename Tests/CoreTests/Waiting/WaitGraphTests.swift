#if os(macOS) || os(Linux)
  import Testing

  @testable import Overmorrow
  @testable import OvermorrowEngine

  /// The searches for cycles of waits that go through combinators.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct WaitGraphTests {
    private typealias Number = Promise<Int, any Error>

    @Test("15.40 a when all of whose 300 inputs wait for it is reported")
    func manyInputs() async {
      await #expect(processExitsWith: .success) {
        let (heard, slot, isSet) = (Recorder<[String]>(), Recorder<Promise<Int, any Error>>(), Latch())
        PromiseDiagnostics.level = .report
        PromiseDiagnostics.handler = { if case .deadlock(_, let cycle) = $0 { heard.record(cycle) } }
        let inputs = (0..<300).map { _ in
          Number(fileID: "A/A.swift", line: 2) {
            await isSet.wait(for: "the promise")
            return try await slot.entries[0].value
          }
        }
        let all = when(fulfilled: inputs, fileID: "A/A.swift", line: 1).map(on: .default) { $0.count }
        slot.record(all)
        isSet.signal()
        await until("the report of a deadlock") { !heard.entries.isEmpty }
        #expect(heard.entries.count == 1)
        #expect(
          heard.entries.first?.sorted() == [
            "the promise made at A/A.swift:1 waits for the promise made at A/A.swift:2",
            "the promise made at A/A.swift:2 waits for the promise made at A/A.swift:1",
          ])
      }
    }

    @Test("15.41 a when one of whose 300 inputs can end is in no reported cycle")
    func oneInputCanEnd() async {
      await #expect(processExitsWith: .success) {
        let (heard, slot, isSet) = (Recorder<PromiseDiagnostic>(), Recorder<Promise<Int, any Error>>(), Latch())
        PromiseDiagnostics.level = .report
        PromiseDiagnostics.handler = { heard.record($0) }
        let waiting = Counter()
        var inputs = (0..<299).map { _ in
          Number(fileID: "A/A.swift", line: 2) {
            await isSet.wait(for: "the promise")
            waiting.increment()
            return try await slot.entries[0].value
          }
        }
        let (last, resolver) = Number.makeWithResolver()
        inputs.append(last)
        let all = when(fulfilled: inputs).map(on: .default) { $0.count }
        slot.record(all)
        isSet.signal()
        await until("the waits of the inputs") { waiting.count == 299 }
        struct Failure: Error {}
        resolver.reject(with: Failure())
        #expect(await all.outcome()?.error is Failure)
        #expect(heard.entries.isEmpty)
      }
    }

    @Test("the inputs of a core are read up to a number of unresolved ones")
    func upstream() {
      let pairs = (0..<20).map { _ in Number.makeWithResolver() }
      let all = when(fulfilled: pairs.map(\.0), joining: true)
      let core = all.handle.core
      #expect(core.upstream().all.count == 20)
      for count in [1, 8, 20] { #expect(core.upstream(unresolved: count).all.count == count) }
      for pair in pairs.prefix(15) { pair.1.fulfill(with: 1) }
      let open = core.upstream(unresolved: 8)
      #expect(open.all.count == 5 && open.all.allSatisfy { !$0.state.isResolved })
      for pair in pairs { pair.1.fulfill(with: 1) }
      withExtendedLifetime(all) {}
    }
  }
#endif
