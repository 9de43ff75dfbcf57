internal import Foundation

/// The part of a response's body that has arrived, in memory or in a file.
///
/// Sendable because only the delegate's calls change it, one at a time; other threads only discard it.
final class ResponseBody: @unchecked Sendable {
  /// The number of bytes that are kept of the body of an error response to a download.
  static let maxErrorBody = 1 << 20

  private(set) var count: Int64 = 0
  private var data = Data()
  private let file: PartialFile?
  private let destination: URL?

  /// Creates a body in the destination file, or in memory if there is no destination or the status does not mean
  /// success.
  init(to destination: URL?, isOK: Bool) throws(NetworkError) {
    self.destination = destination
    if let destination, isOK { file = try PartialFile(for: destination) } else { file = nil }
  }

  func append(_ chunk: Data) throws(NetworkError) {
    count += Int64(chunk.count)
    if let file {
      try file.append(chunk)
    } else if destination == nil {
      data.append(chunk)
    } else {
      data.append(chunk.prefix(ResponseBody.maxErrorBody - data.count))
    }
  }

  /// Completes the body, and returns it or its file.
  func finish() throws(NetworkError) -> (data: Data, location: URL?) {
    try file?.finish()
    return (data, file == nil ? nil : destination)
  }

  /// Removes the file, even while another thread appends to it.
  func discard() { file?.discard() }
}
