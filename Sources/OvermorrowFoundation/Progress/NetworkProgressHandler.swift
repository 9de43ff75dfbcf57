/// Learns how far a request has come.
///
/// Called with the number of bytes so far, which never shrinks, not even with a new attempt, and with the number of
/// bytes that there are in all, if it is known. The last call before a response has both the same.
///
/// - Runs on: a queue of the session, where nothing else of the session goes on meanwhile; so it should be short.
public typealias NetworkProgressHandler = @Sendable (_ completed: Int64, _ total: Int64?) -> Void
