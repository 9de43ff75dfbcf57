import Foundation
import OvermorrowFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension GalleryError {
  /// What an error of a `NetworkSession` means for whoever wanted to load something.
  init(loading url: URL, error: any Error) {
    switch error as? NetworkError {
    case .connection(let error):
      if let reason = Self.reasonForGood(error.code) {
        self = .unreachable(url, reason: reason)
      } else {
        self = .brokenOff(url, reason: error.localizedDescription)
      }
    case .notHTTP: self = .unreachable(url, reason: "the answer is not HTTP")
    default: self = .brokenOff(url, reason: error.localizedDescription)
    }
  }

  /// What is wrong, if it is something that will be wrong the next time too.
  private static func reasonForGood(_ code: URLError.Code) -> String? {
    switch code {
    case .cannotConnectToHost: "nobody listens there, expected a server"
    case .cannotFindHost, .dnsLookupFailed: "there is no host of that name"
    case .notConnectedToInternet: "there is no network"
    // On Linux an answer in another language is told as an address of an unsupported kind.
    case .unsupportedURL, .cannotParseResponse: "the answer is not HTTP"
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
      .serverCertificateHasBadDate, .serverCertificateNotYetValid:
      "the server cannot prove that it is the one of that name"
    default: nil
    }
  }
}
