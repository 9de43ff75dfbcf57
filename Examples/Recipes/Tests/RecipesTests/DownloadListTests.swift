import Foundation
import Overmorrow
import OvermorrowFlow
import OvermorrowFoundation
import OvermorrowObservation
import OvermorrowTesting
import Testing

@testable import Recipes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@MainActor @Suite(.checkedPromises) final class DownloadListTests {
  private let clock = TestClock()
  private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
  private let list: DownloadList
  private let film = URL(string: "https://example.org/film")!
  private let song = URL(string: "https://example.org/song")!

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Four bytes, one a second.
    let slow = StubTransport.Answer.response(
      HTTPResponse(body: Data([1, 2, 3, 4])), after: .seconds(1), inParts: 4, every: .seconds(1))
    let transport = StubTransport(
      [
        "GET \(film)": [slow], "GET \(song)": [slow],
        "GET https://example.org/missing": [.response(HTTPResponse(status: 404))],
      ], clock: clock)
    list = DownloadList(folder: folder, session: NetworkSession(transport: transport, clock: clock))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

  @Test("each row shows its progress, and the file exists at the end")
  func progress() async throws {
    list.add(film)
    await clock.advance(by: .seconds(1))
    list.add(song)
    await clock.advance(by: .seconds(2))
    #expect(list.rows.map(\.download.progress?.fraction) == [0.75, 0.5])
    await clock.advance(by: .seconds(2))
    #expect(list.rows.map(\.isFinished) == [true, true])
    #expect(try Data(contentsOf: folder.appending(path: "film")) == Data([1, 2, 3, 4]))
    #expect(try files() == ["film", "song"])
  }

  @Test("while the list is paused, no download continues")
  func pause() async throws {
    list.add(film)
    await clock.advance(by: .seconds(2))
    list.isPaused = true
    list.add(song)
    await clock.advance(by: .seconds(60))
    #expect(list.rows.map(\.download.progress?.fraction) == [0.5, nil] && list.rows.allSatisfy(\.download.isLoading))
    list.isPaused = false
    await clock.advance(by: .seconds(4))
    #expect(list.rows.map(\.isFinished) == [true, true])
    #expect(try Data(contentsOf: folder.appending(path: "film")) == Data([1, 2, 3, 4]))
  }

  @Test("a removed row leaves no file behind")
  func remove() async throws {
    list.add(film)
    await clock.advance(by: .seconds(2))
    list.remove(film)
    await clock.advance(by: .seconds(60))
    #expect(try list.rows.isEmpty && files().isEmpty)
  }

  @Test("an error is shown in its row")
  func failure() async throws {
    list.add(URL(string: "https://example.org/missing")!)
    await clock.advance(by: .seconds(60))
    let download = list.rows[0].download
    #expect(list.rows.count == 1 && download.error != nil && !download.isLoading && download.value == nil)
  }
}

extension DownloadList.Row {
  @MainActor fileprivate var isFinished: Bool { download.value != nil && !download.isLoading && download.error == nil }
}
