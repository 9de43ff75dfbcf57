internal import Dispatch
internal import Foundation

/// A file that is written beside its destination and replaces it when it is complete.
///
/// It is in the folder of the destination, so that one atomic rename within a volume replaces the destination. If the
/// destination is a symbolic link, the file that the link leads to is created or replaced.
final class PartialFile: Sendable {
  private let url: URL
  private let destination: URL
  /// The file to replace, which is not a symbolic link.
  private let target: URL
  private let handle: FileHandle

  init(for destination: URL) throws(NetworkError) {
    let target = destination.followingLinks
    // The name does not contain that of the destination, which may already have the maximum length.
    url = target.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).part")
    self.destination = destination
    self.target = target
    do {
      // Throws an error with the reason if the folder is missing or not writable.
      try Data().write(to: url, options: .withoutOverwriting)
      do {
        handle = try FileHandle(forWritingTo: url)
        // Set at once, so that the new file has the permissions of the old one even while it is being written.
        if let permissions = try? FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] {
          try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
        }
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

  /// Moves the file to its destination. If that fails, removes the file.
  func finish() throws(NetworkError) {
    do {
      try handle.close()
      // A folder is not replaced, because that cannot be intended.
      let old = try? FileManager.default.attributesOfItem(atPath: target.path)[.type] as? FileAttributeType
      if old == .typeDirectory { throw CocoaError(.fileWriteFileExists) }
      try url.replace(target)
    } catch {
      discard()
      throw .file(destination, error)
    }
  }

  /// Removes the file, even while another thread writes to it.
  func discard() { try? FileManager.default.removeItem(at: url) }

  // Closing a removed file frees its content, which takes milliseconds for a large one.
  deinit {
    DispatchQueue.global(qos: .utility).async { [handle] in try? handle.close() }
  }
}
