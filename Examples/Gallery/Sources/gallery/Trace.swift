import Foundation
import OvermorrowTracing

/// A recording of the promises of this run, and the file to write it to.
struct Trace {
  /// Either "json" or "html".
  static let formats = ["json", "html"]

  private let recording = PromiseRecording()
  let file: URL

  /// Checks whether the file can be written, without creating it. Returns an error message, or `nil`.
  ///
  /// The check is made before the run, so that a misspelt path does not cost a run.
  func check() -> String? {
    let (files, folder) = (FileManager.default, file.deletingLastPathComponent())
    var isFolder: ObjCBool = false
    guard unsafe files.fileExists(atPath: folder.path, isDirectory: &isFolder) else {
      return complaint("there is no folder '\(folder.path)'")
    }
    if !isFolder.boolValue { return complaint("'\(folder.path)' is a file, not a folder") }
    guard unsafe files.fileExists(atPath: file.path, isDirectory: &isFolder) else {
      return files.isWritableFile(atPath: folder.path) ? nil : complaint("the folder is not writable")
    }
    if isFolder.boolValue { return complaint("it is a folder, not a file") }
    return files.isWritableFile(atPath: file.path) ? nil : complaint("the file is not writable")
  }

  /// Ends the recording and writes it. Returns an error message, or `nil`.
  func write() -> String? {
    recording.stop()
    let text = file.pathExtension.lowercased() == "json" ? recording.json : recording.html
    do {
      try Data(text.utf8).write(to: file)
      return nil
    } catch {
      return complaint(error.localizedDescription)
    }
  }

  private func complaint(_ reason: String) -> String {
    "Error: cannot write the trace to '\(file.path)': \(reason)\n"
  }
}
