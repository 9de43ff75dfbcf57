internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What is to be sent and received; the same for all attempts.
struct TransferOrder: Sendable {
  let request: URLRequest
  var source: UploadSource?
  /// How much is to be uploaded, if that is what progress is about.
  var uploadSize: Int64?
  var destination: URL?

  func makeTask(in session: URLSession) -> URLSessionTask {
    switch source {
    case .data(let data): session.uploadTask(with: request, from: data)
    case .file(let file): makeTask(in: session, file)
    case nil: session.dataTask(with: request)
    }
  }

  private func makeTask(in session: URLSession, _ file: URL) -> URLSessionTask {
    #if canImport(FoundationNetworking)
      // Foundation on Linux reads a file ahead, and stops the program if the task has been cancelled by the time that it
      // has read something. A stream would have to be sent in chunks, which not every server takes.
      if let size = uploadSize, size <= UploadSource.sizeToRead, let data = try? Data(contentsOf: file) {
        return session.uploadTask(with: request, from: data)
      }
    #endif
    return session.uploadTask(with: request, fromFile: file)
  }
}
