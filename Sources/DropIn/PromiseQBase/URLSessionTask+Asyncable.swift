#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A data task, or an upload task, can be what a promise suspends, resumes and cancels.
extension URLSessionDataTask: Asyncable {}

/// A download task can be what a promise suspends, resumes and cancels.
extension URLSessionDownloadTask: Asyncable {}
