/// Receives the progress of a request.
///
/// Called with the number of bytes so far, which never decreases, even when a new attempt begins, and with the total
/// number of bytes if it is known. In the last call before a response, both numbers are equal.
///
/// - Runs on: a queue of the request. Later reports and the end of the request wait for the handler, so it should be
///   short.
public typealias NetworkProgressHandler = @Sendable (_ completed: Int64, _ total: Int64?) -> Void
