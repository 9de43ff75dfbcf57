import Foundation

/// A folder that is removed when its last reference is released.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(component: "gallery-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Returns a path within the folder.
  package func path(_ name: String) -> URL {
    url.appending(path: name)
  }

  /// The paths of all items in the folder, including hidden ones, in alphabetical order.
  package var contents: [String] {
    let enumerator = FileManager.default.enumerator(atPath: url.path)
    return (enumerator?.compactMap { $0 as? String } ?? []).sorted()
  }
}
