import Overmorrow
import OvermorrowFlow
import Testing

/// The samples of the guide `Progress.md` and of doc comments, and the statements of the guide.
@Suite(.inTurn) struct ProgressGuideTests {
  private let shown = Recorder<Double?>()

  private func show(_ fraction: Double?) { shown.record(fraction) }

  private func download(onBytes: (Int64, Int64) -> Void, onEnd: (String) -> Void) {
    onBytes(1, 4)
    onEnd("text")
  }

  @Test("12.4 12.5 12.6 work reports progress, observers and loops receive it, and parts make up a whole")
  func guide() async {
    let (data, progress) = Promise<String, any Error>.withProgress(on: .utility) { resolver, progress in
      download(
        onBytes: { bytes, total in progress.report(completed: bytes, of: total) },
        onEnd: { text in resolver.fulfill(with: text) })
    }
    progress.onProgress { step in show(step.fraction) }
    for await step in progress { show(step.fraction) }
    #expect(await data.outcome()?.value == "text")
    #expect(shown.entries.contains(1))

    let (first, second) = (PromiseProgress(total: 2), progress)
    let whole = PromiseProgress(combining: [(progress: first, weight: 1), (progress: second, weight: 3)])
    #expect(whole.current.fraction == 0.75)
  }

  @Test("12.4 an observer on the main queue receives the end")
  func comment() async {
    @Sendable func load(onBytes: (Int64, Int64) -> Void, onEnd: (String) -> Void) {
      download(onBytes: onBytes, onEnd: onEnd)
    }
    let (data, loaded) = Promise<String, any Error>.withProgress(on: .utility) { resolver, progress in
      load(
        onBytes: { bytes, total in progress.report(completed: bytes, of: total) },
        onEnd: { text in resolver.fulfill(with: text) })
    }
    loaded.onProgress(on: .main) { step in show(step.fraction) }
    #expect(await data.outcome()?.value == "text")
    await until("the end of the progress") { shown.entries.contains(1) }
  }

  @Test("12.8 the progress of several files is combined, and ends with all of them")
  func several() async {
    @Sendable func download(_ name: String) -> (promise: Promise<String, any Error>, progress: PromiseProgress) {
      Promise.withProgress(on: .utility, total: 2) { resolver, progress in
        progress.report(completed: 1)
        resolver.fulfill(with: name)
      }
    }
    let names = ["a", "b"]

    let downloads = names.map { download($0) }
    let files = when(fulfilled: downloads.map(\.promise))
    let progress = PromiseProgress(combining: downloads.map(\.progress)).ending(with: files)
    progress.onProgress { step in show(step.fraction) }

    #expect(await files.outcome()?.value == names)
    #expect(progress.current.fraction == 1)

    // The sample of the doc comment.
    do {
      let (downloadText, downloadImage) = ({ download("text") }, { download("image") })
      let (text, image) = (downloadText(), downloadImage())
      let both = when(fulfilled: text.promise, image.promise)
      let progress = PromiseProgress(combining: [(text.progress, 1), (image.progress, 9)]).ending(with: both)
      #expect(await both.outcome()?.value?.1 == "image")
      #expect(progress.current.fraction == 1)
    }
  }
}
