/// Receives the progress of a request.
///
/// Called with the number of bytes so far, which never decreases, even when a new attempt begins, and with the total
/// number of bytes if it is known. In the last call before a response, both numbers are equal.
///
/// - Runs on: a queue of the request. While the handler runs, the request makes no further progress reports, so the
///   handler should be short.
public typealias NetworkProgressHandler = @Sendable (_ completed: Int64, _ total: Int64?) -> Void
