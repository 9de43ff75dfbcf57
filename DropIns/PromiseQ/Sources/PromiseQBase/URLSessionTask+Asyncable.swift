#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Allows a promise to suspend, resume and cancel a data task or an upload task.
extension URLSessionDataTask: Asyncable {}

/// Allows a promise to suspend, resume and cancel a download task.
extension URLSessionDownloadTask: Asyncable {}
