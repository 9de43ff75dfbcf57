internal import Foundation

/// The thread that the program began with.
enum MainThread {
  enum Activity: Equatable {
    /// It has something to do, whether or not it gets its turn.
    case runs
    /// It is in the wait of this number.
    case waits(Int)
    /// That cannot be told.
    case unknown
  }

  /// What the thread does now, according to the system.
  static var activity: Activity {
    // The process is described by its first thread.
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return .unknown }
    var fields: [Substring: Substring] = [:]
    for line in status.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { fields[parts[0]] = parts[1].drop { $0 == "\t" } }
    }
    switch fields["State"]?.first {
    case "R", "D", "T", "t": return .runs
    case "S": return fields["voluntary_ctxt_switches"].flatMap { Int($0) }.map { .waits($0) } ?? .unknown
    // The thread has ended; another one serves the main queue.
    default: return .unknown
    }
  }
}
