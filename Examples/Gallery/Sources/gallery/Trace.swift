import Foundation
import OvermorrowTracing

/// A recording of the promises of this run, and the file to write it to.
struct Trace {
  /// Either "json" or "html".
  static let formats = ["json", "html"]

  private let recording = PromiseRecording()
  let file: URL

  /// Ends the recording and writes it. Returns an error message, or `nil`.
  func write() -> String? {
    recording.stop()
    let text = file.pathExtension.lowercased() == "json" ? recording.json : recording.html
    do {
      try Data(text.utf8).write(to: file)
      return nil
    } catch {
      return "Error: cannot write the trace to '\(file.path)': \(error.localizedDescription)\n"
    }
  }
}
