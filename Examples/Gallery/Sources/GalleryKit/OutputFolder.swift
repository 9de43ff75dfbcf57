import Foundation
import Overmorrow

/// The folder for the contact sheet and its pictures.
///
/// Files are first written to a hidden folder within it, and moved to their places when they are complete, the sheet
/// last. The folder therefore contains either the old sheet or the new one, never half of either, and a run that fails
/// leaves nothing else behind.
final class OutputFolder: Sendable {
  /// The file name of the contact sheet.
  static let sheetName = "gallery.html"

  /// The name of the folder of the pictures.
  static let picturesName = "avatars"

  /// The URL of the contact sheet after it has been published.
  let sheet: URL

  private let folder: URL
  private let pictures: URL
  private let staging: URL

  /// The folders that this run created, innermost first.
  private let created: [URL]

  /// Creates the folder, unless it exists, and the hidden folder within it.
  ///
  /// - Fails: with ``GalleryError/notWritable(path:reason:)``.
  /// - Runs on: `.utility`, because a file system may be slow.
  static func open(_ folder: URL) -> Promise<OutputFolder, GalleryError> {
    Promise(on: .utility) { resolver throws(GalleryError) in
      resolver.fulfill(with: try OutputFolder(folder))
    }
  }

  private init(_ folder: URL) throws(GalleryError) {
    self.folder = folder
    sheet = folder.appending(component: Self.sheetName)
    pictures = folder.appending(component: Self.picturesName)
    staging = folder.appending(component: ".gallery-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")

    var created: [URL] = []
    var parent = folder
    while !FileManager.default.fileExists(atPath: parent.path), parent.path != "/" {
      created.append(parent)
      parent.deleteLastPathComponent()
    }
    self.created = created

    for folder in [parent, pictures] where Self.isFolder(folder) == false {
      throw .notWritable(path: folder.path, reason: "it is a file, not a folder")
    }
    do {
      try FileManager.default.createDirectory(at: staging, withIntermediateDirectories: true)
    } catch {
      discard()
      throw .notWritable(path: folder.path, reason: systemReason(of: error))
    }
  }

  /// Stores a picture in the hidden folder until the sheet is published.
  ///
  /// - Returns: The path that it will have within the folder.
  func stage(_ picture: Data, number: Int, format: PictureFormat) throws(GalleryError) -> String {
    let name = String(format: "%03d.\(format.rawValue)", number)
    try write(picture, name)
    return "\(Self.picturesName)/\(name)"
  }

  /// Moves the sheet and the staged pictures to their places.
  func publish(_ sheet: ContactSheet) throws(GalleryError) {
    try write(Data(sheet.html.utf8), Self.sheetName)
    do {
      try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    } catch {
      throw .notWritable(path: pictures.path, reason: systemReason(of: error))
    }
    for outcome in sheet.outcomes {
      guard case .success(let path) = outcome.picture else { continue }
      try move(String(path.dropFirst(Self.picturesName.count + 1)), to: folder.appending(path: path))
    }
    try move(Self.sheetName, to: self.sheet)
  }

  /// Removes the files that were not published, and the folders that this run created and left empty.
  func discard() {
    try? FileManager.default.removeItem(at: staging)
    for folder in created {
      // Succeeds only if the folder is empty. (Safe: the path is a copy that lives until the call returns.)
      unsafe rmdir(folder.path)
    }
  }

  private func write(_ data: Data, _ name: String) throws(GalleryError) {
    let file = staging.appending(component: name)
    do {
      try data.write(to: file)
    } catch {
      throw .notWritable(path: file.path, reason: systemReason(of: error))
    }
  }

  /// Moves a staged file in one step, and replaces an older file with the same name.
  private func move(_ name: String, to target: URL) throws(GalleryError) {
    // Does not use `FileManager.moveItem`, which refuses to replace a file. (Safe: the paths are copies that live until
    // the call returns.)
    guard unsafe rename(staging.appending(component: name).path, target.path) == 0 else {
      let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      throw .notWritable(path: target.path, reason: systemReason(of: error))
    }
  }

  /// Returns `true` for a folder, `false` for another file, and `nil` if nothing exists there.
  private static func isFolder(_ url: URL) -> Bool? {
    (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory
  }
}
