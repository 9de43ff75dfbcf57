internal import Foundation

/// The body of a response as far as it has come: in memory, or in a file.
///
/// Sendable: the delegate's calls change it, one at a time; other threads only discard it.
final class ResponseBody: @unchecked Sendable {
  /// How much is kept of what a server says instead of the file that was asked for.
  static let longestExcuse = 1 << 20

  private(set) var count: Int64 = 0
  private var data = Data()
  private let file: PartialFile?
  private let destination: URL?

  /// A body whose place depends on the response: what is no success does not go to the file.
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
      data.append(chunk.prefix(ResponseBody.longestExcuse - data.count))
    }
  }

  /// The body is whole.
  func finish() throws(NetworkError) -> (data: Data, location: URL?) {
    try file?.finish()
    return (data, file == nil ? nil : destination)
  }

  /// Removes the file, also while another thread appends.
  func discard() { file?.discard() }
}
