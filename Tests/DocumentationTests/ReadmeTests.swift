import Overmorrow
import Testing

/// The samples of `README.md` and of the catalogue's landing page, `Overmorrow.md`.
@Suite(.inTurn) struct ReadmeTests {
  @Test("2.1 the program of the README prints its forecast, then ends")
  @MainActor func runs() async {
    let (printed, ended) = (Recorder<String>(), Latch())
    let print = printed.record
    let exit: @Sendable (Int) -> Void = { _ in ended.signal() }
    let dispatchMain = {}

    let forecast = Promise<String, any Error>(on: .utility) { resolver in
      resolver.fulfill(with: "sunny")  // or reject(with:), or cancel(), or throw; here, or later from any thread
    }

    forecast
      .map { "The day after tomorrow: \($0)" }
      .then { print($0) }
      .catch { print("No forecast: \($0)") }
      .always { _ in exit(0) }

    dispatchMain()

    await ended.wait(for: "the end of the program")
    #expect(printed.entries == ["The day after tomorrow: sunny"])
  }
}
