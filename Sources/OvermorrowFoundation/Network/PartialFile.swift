internal import Dispatch
internal import Foundation

/// A file that grows beside its destination, and replaces it once the file is whole.
///
/// In the same folder, so that it is moved within one volume, in one go. Where the destination is a symbolic link, what
/// the link leads to is made or replaced.
final class PartialFile: Sendable {
  private let url: URL
  private let destination: URL
  /// What will be replaced.
  private let place: URL
  private let handle: FileHandle

  init(for destination: URL) throws(NetworkError) {
    let place = destination.followingLinks
    // Without the name of the destination, which may be as long as a name can be.
    url = place.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).part")
    self.destination = destination
    self.place = place
    do {
      // Fails, with a reason, where a folder is missing or must not be written to.
      try Data().write(to: url, options: .withoutOverwriting)
      do {
        handle = try FileHandle(forWritingTo: url)
        // At once: the new file has the permissions of the old one while it grows, too.
        if let permissions = try? FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions] {
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

  /// Moves the file to its destination; leaves nothing behind when that fails.
  func finish() throws(NetworkError) {
    do {
      try handle.close()
      // A folder is not replaced, as that cannot be meant.
      let old = try? FileManager.default.attributesOfItem(atPath: place.path)[.type] as? FileAttributeType
      if old == .typeDirectory { throw CocoaError(.fileWriteFileExists) }
      try url.replace(place)
    } catch {
      discard()
      throw .file(destination, error)
    }
  }

  /// Removes the file, also while another thread writes to it.
  func discard() { try? FileManager.default.removeItem(at: url) }

  // The system frees the content of a removed file when it is closed, which takes milliseconds for a large one.
  deinit {
    DispatchQueue.global(qos: .utility).async { [handle] in try? handle.close() }
  }
}
