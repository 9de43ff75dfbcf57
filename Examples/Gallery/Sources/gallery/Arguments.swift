import ArgumentParser
import Foundation

/// Parses the values of the options, and reports what was expected if a value is invalid.
enum Arguments {
  static let concurrencyRange = 1...64
  static let timeoutRange = 0.001...3600.0

  static func server(_ text: String) throws -> URL {
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false
    else {
      throw ValidationError("Expected an http or https address, such as http://127.0.0.1:8080.")
    }
    return url
  }

  static func output(_ text: String) throws -> URL {
    guard !text.isEmpty else { throw ValidationError("Expected the path of a folder.") }
    return URL(filePath: text, directoryHint: .isDirectory)
  }

  static func trace(_ text: String) throws -> URL {
    let file = URL(filePath: text, directoryHint: .notDirectory)
    guard Trace.formats.contains(file.pathExtension.lowercased()) else {
      throw ValidationError("Expected a file whose name ends with .json or .html.")
    }
    return file
  }

  static func port(_ text: String) throws -> UInt16 {
    guard let port = UInt16(text) else {
      throw ValidationError("Expected a port from 0 to 65535; 0 lets the system choose one.")
    }
    return port
  }

  static func concurrency(_ text: String) throws -> Int {
    guard let number = Int(text), concurrencyRange ~= number else {
      throw ValidationError(
        "Expected a whole number from \(concurrencyRange.lowerBound) to \(concurrencyRange.upperBound).")
    }
    return number
  }

  static func timeout(_ text: String) throws -> Duration {
    guard let seconds = Double(text), timeoutRange ~= seconds else {
      throw ValidationError(
        "Expected a number of seconds from \(timeoutRange.lowerBound) to \(timeoutRange.upperBound).")
    }
    return .seconds(seconds)
  }
}
