#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking

  extension HTTPURLResponse {
    /// The reason why Foundation on Linux must not read the body of this response; `nil` if it may read the body.
    ///
    /// Foundation cannot read header fields that follow a body. This response announces such fields.
    var problem: NetworkError? {
      guard value(forHTTPHeaderField: "Trailer") != nil else { return nil }
      let reason = "Foundation cannot read this response. Send the request through another HTTPTransport."
      return .connection(URLError(.cannotParseResponse, userInfo: [NSLocalizedDescriptionKey: reason]))
    }
  }
#endif
