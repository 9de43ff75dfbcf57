#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Prints a finding and ends the process.
enum Findings {
  /// The program that this process explores, and the options.
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
    print("again by: --only \"\(program.name)\" --replay \(String(decoding: search.choices, as: UTF8.self))")
    fflush(stdout)
    _exit(1)
  }
}
