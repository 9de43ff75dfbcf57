package import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The process that the library runs in: its standard error, environment, processors, signals and end.
package enum System {
  /// Writes a line to standard error with one call of `write`.
  package static func printToStandardError(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in
      // Unsafe: the bytes are valid until this closure returns. An error cannot be reported anywhere.
      _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }

  /// Returns the value of an environment variable, or `nil` if the variable is empty or not set.
  package static func environment(_ name: String) -> String? {
    // Unsafe: the text is copied at once.
    guard let text = unsafe getenv(name) else { return nil }
    let value = unsafe String(cString: text)
    return value.isEmpty ? nil : value
  }

  /// The number of processors that are online.
  static var processorCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

  /// Runs code on a queue each time that the program gets SIGQUIT. After this call, SIGQUIT no longer ends the program.
  /// Must be called only once.
  package static func onQuitSignal(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    // A signal that arrives before the source is in place has no effect.
    _ = signal(SIGQUIT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGQUIT, queue: queue)
    // The handler keeps the source, so that it is never released.
    let kept = KeptSource(source: source)
    source.setEventHandler { withExtendedLifetime(kept, body) }
    source.resume()
  }

  /// The identifier of this process. It changes in a process that `fork` has made.
  package static var process: Int32 { getpid() }

  /// Runs code when the program ends normally, on the thread that ends it.
  package static func atExit(_ body: @escaping @convention(c) () -> Void) {
    // If the system has no room for the code, the program ends without it.
    _ = atexit(body)
  }

  /// The path with which this program was started; `nil` if it is unknown.
  package static var programPath: String? { CommandLine.arguments.first }

  private struct KeptSource: @unchecked Sendable {
    // Sendable: a dispatch source may be used from any thread.
    let source: any DispatchSourceSignal
  }
}
