import Foundation

/// The errors of the gallery, each with its subject.
package enum GalleryError: Error, Hashable {
  /// No server could answer: none is listening, or the name is unknown.
  case unreachable(URL, reason: String)

  /// The connection ended before the whole answer had arrived.
  case brokenOff(URL, reason: String)

  /// The answer has an error status.
  case status(URL, code: Int)

  /// The answer did not come in time.
  case timedOut(URL, limit: Duration)

  /// The list of users has an unexpected form.
  case notAList(URL, reason: String)

  /// The address of an avatar is not an HTTP address.
  case notAnAddress(String)

  /// The answer is not a picture.
  case notAPicture(URL, bytes: Int)

  /// A file or folder could not be written.
  case notWritable(path: String, reason: String)
}

extension GalleryError {
  /// Whether the same request may succeed a moment later.
  var isTransient: Bool {
    switch self {
    case .brokenOff: true
    case .status(_, let code): [408, 425, 429, 500, 502, 503, 504].contains(code)
    default: false
    }
  }
}

extension GalleryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreachable(let url, let reason):
      "cannot load \(url.absoluteString): \(reason)"
    case .brokenOff(let url, let reason):
      "the connection broke off while loading \(url.absoluteString): \(reason)"
    case .status(let url, let code):
      "\(url.absoluteString) answered with status \(code), expected 200"
    case .timedOut(let url, let limit):
      "\(url.absoluteString) did not answer within \(limit.inSeconds)"
    case .notAList(let url, let reason):
      "\(url.absoluteString) is not a list of users: \(reason)"
    case .notAnAddress(let text):
      "'\(text)' is not the address of a picture: expected a path on the server, or an http or https address"
    case .notAPicture(let url, let bytes):
      "\(url.absoluteString) is not a picture: expected PNG, JPEG, GIF or WebP, got \(bytes) bytes of something else"
    case .notWritable(let path, let reason):
      "cannot write to '\(path)': \(reason)"
    }
  }
}

extension Duration {
  /// The duration as text, such as `1.5 s`.
  package var inSeconds: String {
    let seconds = self / .seconds(1)
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : String(format: "%.3g s", seconds)
  }
}

/// Returns the system's reason for a failed file operation, without the text that Foundation adds.
func systemReason(of error: any Error) -> String {
  let error = error as NSError
  if let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error {
    return systemReason(of: cause)
  }
  if error.domain == NSPOSIXErrorDomain {
    // Safe: the text exists as long as the program, and is copied at once.
    return unsafe String(cString: strerror(Int32(error.code)))
  }
  return error.localizedDescription
}
