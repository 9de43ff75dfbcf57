internal import Foundation

/// The part of a response's body that has arrived, in memory or in a file.
///
/// Sendable because only the calls of its exchange change the body, one at a time. Other threads only discard the body.
final class ResponseBody: @unchecked Sendable {
  /// The maximum number of bytes of the body that are kept if the response to a download has an error status.
  static let maxErrorBody = 1 << 20

  private(set) var count: Int64 = 0
  private var data = Data()
  private let file: PartialFile?
  private let destination: URL?

  /// Creates an empty body. If there is a destination and the status means success, the body is written to a file. In
  /// all other cases, the body is kept in memory.
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

  /// Completes the body. Returns the data, or no data and the location if the body is in a file.
  func finish() throws(NetworkError) -> (data: Data, location: URL?) {
    try file?.finish()
    return (data, file == nil ? nil : destination)
  }

  /// Removes the file, if there is one, even while another thread appends to the file.
  func discard() { file?.discard() }
}
