import Overmorrow
import OvermorrowTesting
import OvermorrowTracing
import TestSupport
import Testing

/// The sample of the module.
@Suite(.inTurn) struct TracingSamplesTests {
  @Test("15.24 a recording of a when is saved")
  func pictures() async {
    let names = ["a", "b"]
    @Sendable func load(_ name: String) -> Promise<String, Flaw> { Promise(fulfilled: name) }
    let (saved, resolver) = Promise<[String], Never>.makeWithResolver()
    let texts = Guarded<[String]>([])
    @Sendable func save(_ text: String, _ name: String) {
      texts.withLock { $0 += [text, name] }
      if name.hasSuffix("json") { resolver.fulfill(with: texts.withLock { $0 }) }
    }

    let recording = PromiseRecording()
    let pictures = when(fulfilled: names.map(load))
    pictures.always(on: .utility) { _ in
      recording.stop()
      save(recording.html, "pictures.html")
      save(recording.json, "pictures.json")
    }

    let all = await expectFulfilled(saved, within: .seconds(60)) ?? []
    #expect(all.count == 4)
    #expect(all.first?.hasPrefix("<!doctype html>") == true)
    #expect(all.dropFirst(2).first?.hasPrefix("{") == true)
  }
}
