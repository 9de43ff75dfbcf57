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
    case .file(let file): session.uploadTask(with: request, fromFile: file)
    case nil: session.dataTask(with: request)
    }
  }
}
