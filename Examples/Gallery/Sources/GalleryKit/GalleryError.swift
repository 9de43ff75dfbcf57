import Foundation

/// What can go wrong, each with what it was about.
package enum GalleryError: Error, Hashable {
  /// There is no server that could answer: nobody listens there, or the name is unknown.
  case unreachable(URL, reason: String)

  /// The connection ended before the answer did.
  case brokenOff(URL, reason: String)

  /// An answer came, with a status that is not a success.
  case status(URL, code: Int)

  /// The answer did not come in time.
  case timedOut(URL, limit: Duration)

  /// The list of users is not what it should be.
  case notAList(URL, reason: String)

  /// The address of an avatar is not one of the web.
  case notAnAddress(String)

  /// What came instead of a picture.
  case notAPicture(URL, bytes: Int)

  /// A file or folder that could not be written.
  case notWritable(path: String, reason: String)
}

extension GalleryError {
  /// Whether the same request may well succeed a moment later.
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
  /// The duration for people to read, such as `1.5 s`.
  package var inSeconds: String {
    let seconds = self / .seconds(1)
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : String(format: "%.3g s", seconds)
  }
}

/// What the system says about a failed file operation, without the wrapping that Foundation adds.
func systemReason(of error: any Error) -> String {
  let error = error as NSError
  if let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error {
    return systemReason(of: cause)
  }
  if error.domain == NSPOSIXErrorDomain {
    // Safe: the text is there as long as the program, and copied at once.
    return unsafe String(cString: strerror(Int32(error.code)))
  }
  return error.localizedDescription
}
