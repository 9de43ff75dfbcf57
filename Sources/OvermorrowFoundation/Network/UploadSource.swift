public import Foundation

/// The body of an upload.
public enum UploadSource: Sendable {
  /// Bytes in memory.
  case data(Data)
  /// A file, which is read while it is sent.
  case file(URL)
}

extension UploadSource {
  /// Returns the number of bytes to upload.
  ///
  /// - Throws: `NetworkError.file` if the file cannot be read.
  func size() throws(NetworkError) -> Int64 {
    switch self {
    case .data(let data): return Int64(data.count)
    case .file(let url):
      do {
        // The file is opened, because only opening shows for certain that the file can be read.
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        let size = try file.seekToEnd()
        // Opening a folder also succeeds and gives a size, but reading from the folder fails.
        _ = try file.seek(toOffset: 0)
        if size > 0 { _ = try file.read(upToCount: 1) }
        return Int64(clamping: size)
      } catch {
        throw .file(url, error)
      }
    }
  }
}
