import Overmorrow
import OvermorrowFlow
import OvermorrowObservation
import TestSupport
import Testing

/// Each function of `OvermorrowObservation` that makes a promise or runs work, and the line of its caller.
@Suite(.inTurn) struct PlacesOfObservationTests {
  // Each call is on the line of its entry, because the diagnostics must name this line.
  // swift-format-ignore
  @MainActor static let calls: [PlacedCall] = [
    .init(async: "PromiseLoad.init(fileID:line:_:)") { inner in let load = await PromiseLoad<Int, Int> { _ in try await inner.promise.value }; await wait(load, inner) },
    .init(async: "PromiseLoad.init(from:fileID:line:load:)") { inner in let load = await PromiseLoad<Int, Int>(from: Cache()) { _ in inner.promise }; await wait(load, inner) },
    .init(async: "PromiseLoad.init(from:fileID:line:load:)") { inner in let load = await PromiseLoad<Int, Int>(from: Cache()) { _ in try await inner.promise.value }; await wait(load, inner) },
    .init(async: "PromiseLoad.refresh(fileID:line:)") { inner in let load = await make(inner); await load.load(1); await load.refresh() },
    .init(async: "PromiseLoad.run(_:fileID:line:)") { inner in let load = await make(inner); await load.run(1) },
    .init(async: "PromiseLoad.run(fileID:line:)") { inner in let load = await makeWithoutInput(inner); await load.run() },
  ]

  @Test("15.59 the diagnostics name the caller's line of each function")
  func places() async { for call in await Self.calls { await call.check() } }

  @Test("15.58 each function of the recorded interface has a call in the table")
  func complete() async throws {
    let reason = "the promise is that of the program's closure"
    let missing = try PlacedCall.missing(
      in: await Self.calls, of: "OvermorrowObservation", except: ["PromiseLoad.init(_:)": reason])
    #expect(missing == [])
  }

  private typealias Cache = PromiseCache<Int, Int, any Error>

  @MainActor private static func make(_ inner: PlacedCall.Inner) -> PromiseLoad<Int, Int> {
    PromiseLoad { (_: Int) in inner.promise }
  }

  @MainActor private static func makeWithoutInput(_ inner: PlacedCall.Inner) -> PromiseLoad<Void, Int> {
    PromiseLoad { () in inner.promise }
  }

  private static func wait(_ load: PromiseLoad<Int, Int>, _ inner: PlacedCall.Inner) async {
    await load.run(1)
  }
}
