/// A closure that receives the progress of a request.
///
/// `completed` is the number of bytes received or sent so far. This number never decreases, even when a new attempt
/// begins. `total` is the total number of bytes; `nil` if the total is unknown. In the last call before the promise is
/// fulfilled, both numbers are equal.
///
/// - Runs on: a queue of the request. Later reports and the end of the request wait for the handler, so the handler
///   should be short.
public typealias NetworkProgressHandler = @Sendable (_ completed: Int64, _ total: Int64?) -> Void
