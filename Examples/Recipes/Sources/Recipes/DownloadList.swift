import Foundation
import Observation
import Overmorrow
import OvermorrowFlow
import OvermorrowFoundation

/// A list of downloads that shows the progress of each and can be paused.
///
/// All downloads have one `PromisePause`. While it is suspended, no download continues and no attempt begins. When a row is removed, its
/// download is asked to cancel and leaves no file behind.
@MainActor @Observable
final class DownloadList {
  struct Row: Identifiable {
    enum State: Equatable {
      case loading, finished
      case failed(String)
    }

    let id: URL
    var fraction: Double?
    var state = State.loading
  }

  private(set) var rows: [Row] = []
  var isPaused = false {
    didSet { isPaused ? pause.suspend() : pause.resume() }
  }

  private let pause = PromisePause()
  private var downloads: [URL: PromiseCancellable] = [:]
  private let session: NetworkSession
  private let folder: URL

  init(folder: URL, session: NetworkSession = .shared) {
    self.folder = folder
    self.session = session
  }

  func add(_ address: URL) {
    guard downloads[address] == nil else { return }
    rows.append(Row(id: address))
    let task = NetworkTask(pause: pause)
    task.bytes.onProgress { [weak self] step in self?.update(address) { $0.fraction = step.fraction } }
    downloads[address] =
      session
      .download(address, to: folder.appending(path: address.lastPathComponent), retry: .http(), task: task)
      .map(on: .utility) { try $0.checked() }
      .bound(to: self)
      .then { list, _ in list.update(address) { $0.state = .finished } }
      .catch { list, error in list.update(address) { $0.state = .failed("\(error)") } }
      .owned()
  }

  func remove(_ address: URL) {
    downloads[address] = nil
    rows.removeAll { $0.id == address }
  }

  private func update(_ address: URL, _ change: (inout Row) -> Void) {
    guard let index = rows.firstIndex(where: { $0.id == address }) else { return }
    change(&rows[index])
  }
}
