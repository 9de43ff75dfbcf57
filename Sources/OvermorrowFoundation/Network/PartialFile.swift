internal import Foundation

/// A file that grows beside its destination, and replaces what is there once it is whole.
///
/// In the same folder, so that it is moved within one volume, in one go.
struct PartialFile {
  private let url: URL
  private let destination: URL
  private let handle: FileHandle

  init(for destination: URL) throws(NetworkError) {
    let name = ".\(destination.lastPathComponent.prefix(80)).\(UUID().uuidString).part"
    url = destination.deletingLastPathComponent().appendingPathComponent(name)
    self.destination = destination
    do {
      // Fails, with a reason, where a folder is missing or must not be written to.
      try Data().write(to: url, options: .withoutOverwriting)
      do {
        handle = try FileHandle(forWritingTo: url)
      } catch {
        try? FileManager.default.removeItem(at: url)
        throw error
      }
    } catch {
      throw .file(destination, error)
    }
  }

  func append(_ data: Data) throws(NetworkError) {
    do { try handle.write(contentsOf: data) } catch { throw .file(destination, error) }
  }

  /// Moves the file to its destination; leaves nothing behind when that fails.
  func finish() throws(NetworkError) {
    do {
      try handle.close()
      let manager = FileManager.default
      if manager.fileExists(atPath: destination.path) {
        // A folder is not replaced: nobody means that.
        let type = try manager.attributesOfItem(atPath: destination.path)[.type] as? FileAttributeType
        if type == .typeDirectory { throw CocoaError(.fileWriteFileExists) }
        try replace(with: manager)
      } else {
        try manager.moveItem(at: url, to: destination)
      }
    } catch {
      discard()
      throw .file(destination, error)
    }
  }

  private func replace(with manager: FileManager) throws {
    #if canImport(Darwin)
      _ = try manager.replaceItemAt(destination, withItemAt: url)
    #else
      // Here `replaceItemAt` has been seen to remove the destination and to put nothing in its place.
      let old = url.appendingPathExtension("old")
      try manager.moveItem(at: destination, to: old)
      do {
        try manager.moveItem(at: url, to: destination)
      } catch {
        try? manager.moveItem(at: old, to: destination)
        throw error
      }
      try? manager.removeItem(at: old)
    #endif
  }

  /// Removes the file.
  func discard() {
    try? handle.close()
    try? FileManager.default.removeItem(at: url)
  }
}
