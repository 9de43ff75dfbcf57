#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What is printed when something is wrong; the process ends with it.
enum Findings {
  /// What this process explores, and how.
  nonisolated(unsafe) static var explored: (program: Program, options: Options)?

  static func report(_ message: String) -> Never {
    guard let (program, options) = explored else { fatalError(message) }
    let search = Scheduler.shared.search
    let isReplayed = if case .replay = options.mode { true } else { false }
    if let known = program.known, message.hasPrefix(known), !isReplayed {
      print("known   in execution \(search.executions + 1), \(message): \(program.name)")
      fflush(stdout)
      _exit(0)
    }
    print("FOUND in “\(program.name)”, execution \(search.executions + 1): \(message)")
    if !options.isQuiet { print(Scheduler.shared.trace.text()) }
    print("again by: --only '\(program.name)' --replay \(String(decoding: search.choices, as: UTF8.self))")
    fflush(stdout)
    _exit(1)
  }
}
