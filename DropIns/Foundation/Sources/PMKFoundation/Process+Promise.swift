#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
  public import Foundation
  public import PromiseKit

  extension Process {
    /// Starts the process and returns a promise for the pipes of its output and of its error output, which are set by
    /// this method.
    ///
    /// The promise is fulfilled when the process has exited with the status zero. Otherwise, it is rejected with
    /// `PMKError.execution`. If the process cannot be started, the promise is rejected with the error of `run()`.
    ///
    /// A `terminationHandler` that was set before this call is called first. Do not set one while the process runs,
    /// because the promise is resolved by the handler that this method sets.
    ///
    /// A process that writes more than a pipe contains, often 64 KiB, waits until another thread reads from the pipe.
    public func launch(_: PMKNamespacer) -> Promise<(out: Pipe, err: Pipe)> {
      let (out, err) = (Pipe(), Pipe())
      (standardOutput, standardError) = (out, err)
      let (promise, resolver) = Promise<(out: Pipe, err: Pipe)>.pending()
      // The handler retains the process until it exits.
      let started = Carried((process: self, out: out, err: err, handler: terminationHandler))
      terminationHandler = { _ in
        let (process, out, err, handler) = started.value
        process.terminationHandler = handler
        handler?(process)
        if process.terminationReason == .exit, process.terminationStatus == 0 { return resolver.fulfill((out, err)) }
        resolver.reject(PMKError.execution(process: process, standardOutput: out.text, standardError: err.text))
      }
      do {
        try run()
      } catch {
        terminationHandler = started.value.handler
        resolver.reject(error)
      }
      return promise
    }

    /// An error of a process.
    public enum PMKError: Error, @unchecked Sendable {
      // Sendable because promises pass an error from one thread to the next, as they pass a value.

      /// There is no executable file at a path. This module does not use this case, because `run()` throws another
      /// error.
      case notExecutable(String?)
      /// The process was ended by a signal, or exited with a status other than zero. This case contains the process,
      /// and the output that nobody has read; `nil` if the output is not text.
      case execution(process: Process, standardOutput: String?, standardError: String?)
    }
  }

  extension Process.PMKError: LocalizedError {
    /// A description of the error.
    public var errorDescription: String? {
      switch self {
      case .notExecutable(let path): "There is no executable file at \(path ?? "an empty path")"
      case .execution(let process, _, let standardError):
        "\(process.executableURL?.path ?? "The process") ended with the status \(process.terminationStatus)"
          + (standardError.map { $0.isEmpty ? "" : ": \($0)" } ?? "")
      }
    }
  }

  extension Pipe {
    /// The text that can still be read from the pipe.
    fileprivate var text: String? { String(data: fileHandleForReading.readDataToEndOfFile(), encoding: .utf8) }
  }
#endif
