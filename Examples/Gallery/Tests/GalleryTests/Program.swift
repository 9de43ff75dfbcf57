import Foundation
import Synchronization
import TestSupport

/// Runs the program in its own process.
final class Program: Sendable {
  /// The status and the output of the program after its end.
  struct Ending: Sendable {
    let status: Int32
    let output: String
    let errors: String
  }

  private enum Stream {
    case output
    case errors
  }

  private struct State {
    var pid: Int32 = 0
    var status: Int32 = 0
    var output = Data()
    var errors = Data()
    var awaited: (text: String, latch: Latch)?
  }

  private let state = Mutex(State())

  /// Opens when the process has ended and both of its streams have reached their ends.
  private let end = Latch(3)

  init(_ arguments: [String]) throws {
    let (output, errors) = (Pipe(), Pipe())
    let process = Process()
    process.executableURL = Self.productsFolder.appending(component: "gallery")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    process.terminationHandler = { [self] process in
      state.withLock { $0.status = process.terminationStatus }
      end.arrive()
    }
    try process.run()
    state.withLock { $0.pid = process.processIdentifier }
    // Threads that read, because a file handle's `readabilityHandler` may miss the end of a pipe on Linux.
    Thread.detachNewThread { [self] in read(.output, from: output.fileHandleForReading) }
    Thread.detachNewThread { [self] in read(.errors, from: errors.fileHandleForReading) }
  }

  /// Waits until the program has written the text to its standard error.
  func hasPrinted(_ text: String) async {
    let latch = Latch()
    let isSaid = state.withLock { state in
      state.awaited = (text, latch)
      return String(decoding: state.errors, as: UTF8.self).contains(text)
    }
    if isSaid { latch.arrive() }
    await latch.opened()
  }

  func send(_ signal: Int32) {
    kill(state.withLock { $0.pid }, signal)
  }

  func ended() async -> Ending {
    await end.opened()
    return state.withLock { state in
      Ending(
        status: state.status,
        output: String(decoding: state.output, as: UTF8.self),
        errors: String(decoding: state.errors, as: UTF8.self))
    }
  }

  private func read(_ stream: Stream, from handle: FileHandle) {
    while true {
      let data = handle.availableData
      guard !data.isEmpty else { break }
      let latch: Latch? = state.withLock { state in
        switch stream {
        case .output: state.output += data
        case .errors: state.errors += data
        }
        guard let awaited = state.awaited, String(decoding: state.errors, as: UTF8.self).contains(awaited.text) else {
          return nil
        }
        return awaited.latch
      }
      latch?.arrive()
    }
    end.arrive()
  }

  /// The folder of the test bundle, which also contains the program.
  private static var productsFolder: URL {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      return bundle.bundleURL.deletingLastPathComponent()
    #else
      return Bundle.main.bundleURL
    #endif
  }
}
