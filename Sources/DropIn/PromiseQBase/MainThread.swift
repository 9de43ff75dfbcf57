internal import Foundation

/// The first thread of the process.
enum MainThread {
  enum Activity: Equatable {
    /// The thread is runnable, whether or not it is scheduled.
    case runs
    /// The thread is blocked. The associated value is the number of waits of the thread so far.
    case waits(Int)
    /// The state of the thread cannot be determined.
    case unknown
  }

  /// The current activity of the thread, as the system reports it.
  static var activity: Activity {
    // This file describes the first thread of the process.
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return .unknown }
    var fields: [Substring: Substring] = [:]
    for line in status.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { fields[parts[0]] = parts[1].drop { $0 == "\t" } }
    }
    switch fields["State"]?.first {
    case "R", "D", "T", "t": return .runs
    case "S": return fields["voluntary_ctxt_switches"].flatMap { Int($0) }.map { .waits($0) } ?? .unknown
    // Either the thread has ended and another thread serves the main queue, or the file contains no state.
    default: return .unknown
    }
  }
}
