import Overmorrow
import Testing

/// The samples of the guide `Progress.md`, and what it says of them.
@Suite(.inTurn) struct ProgressGuideTests {
  @Test("work reports, observers and loops hear of it, and parts make up a whole")
  func guide() async {
    let shown = Recorder<Double?>()
    @Sendable func show(_ fraction: Double?) { shown.record(fraction) }
    @Sendable func download(onBytes: (Int64, Int64) -> Void, onEnd: (String) -> Void) {
      onBytes(1, 4)
      onEnd("text")
    }
    let (data, progress) = Promise<String, any Error>.withProgress(on: .utility) { resolver, progress in
      download(
        onBytes: { bytes, total in progress.report(completed: bytes, of: total) },
        onEnd: { text in resolver.fulfill(with: text) })
    }
    progress.onProgress(on: .main) { step in show(step.fraction) }
    for await step in progress { show(step.fraction) }
    #expect(await data.outcome()?.value == "text")
    #expect(shown.entries.contains(1))

    let (first, second) = (PromiseProgress(total: 2), progress)
    let whole = PromiseProgress(combining: [(progress: first, weight: 1), (progress: second, weight: 3)])
    #expect(whole.current.fraction == 0.75)
  }
}
