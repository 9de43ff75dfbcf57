import Foundation
import Observation
import Overmorrow
import OvermorrowFlow
import OvermorrowFoundation
import OvermorrowObservation

/// A list of downloads that shows the progress of each and can be paused.
///
/// All downloads have one `PromisePause`. While it is suspended, no download continues and no attempt begins. When a row is removed, its
/// download is asked to cancel and leaves no file behind.
@MainActor @Observable
final class DownloadList {
  struct Row: Identifiable {
    let id: URL
    let download: PromiseLoad<URL, Void>
  }

  private(set) var rows: [Row] = []
  var isPaused = false {
    didSet { isPaused ? pause.suspend() : pause.resume() }
  }

  private let pause = PromisePause()
  private let session: NetworkSession
  private let folder: URL

  init(folder: URL, session: NetworkSession = .shared) {
    self.folder = folder
    self.session = session
  }

  func add(_ address: URL) {
    guard !rows.contains(where: { $0.id == address }) else { return }
    let download = PromiseLoad<URL, Void> { [folder, pause, session] address in
      let (task, file) = (NetworkTask(pause: pause), folder.appending(path: address.lastPathComponent))
      let saved = session.download(address, to: file, retry: .http(), task: task)
        .map(on: .utility) { response in _ = try response.checked() }
      return (saved, task.bytes)
    }
    rows.append(Row(id: address, download: download))
    download.load(address)
  }

  func remove(_ address: URL) {
    // A view that disappears slowly may still retain the row.
    rows.first { $0.id == address }?.download.cancel()
    rows.removeAll { $0.id == address }
  }
}
