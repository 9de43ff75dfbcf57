import Foundation
import OvermorrowFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension GalleryError {
  /// Creates an error from an error of a `NetworkSession`.
  init(loading url: URL, error: any Error) {
    switch error as? NetworkError {
    case .connection(let error):
      if let reason = Self.permanentReason(error.code) {
        self = .unreachable(url, reason: reason)
      } else {
        self = .brokenOff(url, reason: error.localizedDescription)
      }
    case .notHTTP: self = .unreachable(url, reason: "the answer is not HTTP")
    default: self = .brokenOff(url, reason: error.localizedDescription)
    }
  }

  /// Returns the reason of a failure that another attempt would repeat; `nil` otherwise.
  private static func permanentReason(_ code: URLError.Code) -> String? {
    switch code {
    case .cannotConnectToHost: "no server is listening there"
    case .cannotFindHost, .dnsLookupFailed: "the host does not exist"
    case .notConnectedToInternet: "there is no network"
    // On Linux, an answer in another protocol is reported as an unsupported URL.
    case .unsupportedURL, .cannotParseResponse: "the answer is not HTTP"
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
      .serverCertificateHasBadDate, .serverCertificateNotYetValid:
      "the identity of the server cannot be verified"
    default: nil
    }
  }
}
