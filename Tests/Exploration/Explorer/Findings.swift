#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What is printed when something is wrong; the process ends with it.
enum Findings {
  nonisolated(unsafe) static var program: Program?
  nonisolated(unsafe) static var isQuiet = false
  nonisolated(unsafe) static var isReplayed = false

  static func report(_ message: String) -> Never {
    let scheduler = Scheduler.shared
    let schedule = String(decoding: scheduler.search.choices, as: UTF8.self)
    let isKnown = program?.known.map { message.hasPrefix($0) } ?? false
    let name = program?.name ?? ""
    if isKnown, !isReplayed {
      print("known   in execution \(scheduler.search.executions + 1), \(message): \(name)")
      fflush(stdout)
      _exit(0)
    }
    print("FOUND in “\(name)”, execution \(scheduler.search.executions + 1): \(message)")
    if !isQuiet { print(scheduler.trace.text()) }
    print("again by: --only '\(name)' --replay \(schedule)")
    fflush(stdout)
    _exit(1)
  }
}
