public import Foundation

/// What to upload.
public enum UploadSource: Sendable {
  /// Bytes in memory.
  case data(Data)
  /// A file, which is read while it is sent.
  ///
  /// On Linux a file of at most 16 MiB is read before. A larger one is better not cancelled or suspended there: Foundation
  /// does not always survive that an upload ends while it reads the file.
  case file(URL)
}

extension UploadSource {
  /// How many bytes of a file are read before they are sent, on Linux.
  static var sizeToRead: Int64 { 16 << 20 }

  /// How many bytes there are.
  ///
  /// - Throws: `NetworkError.file` if the file cannot be read.
  func size() throws(NetworkError) -> Int64 {
    switch self {
    case .data(let data): return Int64(data.count)
    case .file(let url):
      do {
        // Opened, as nothing else tells for certain whether it can be.
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        let size = try file.seekToEnd()
        // A folder can be opened, and has some size, too.
        _ = try file.seek(toOffset: 0)
        if size > 0 { _ = try file.read(upToCount: 1) }
        return Int64(clamping: size)
      } catch {
        throw .file(url, error)
      }
    }
  }
}
