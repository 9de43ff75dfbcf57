import ArgumentParser
import DemoServer
import Dispatch
import Foundation
import GalleryKit
import GalleryPage
import Overmorrow

/// The command line of the program.
@main
struct GalleryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallery",
    abstract: "Loads the avatars of a server's users concurrently and makes a contact sheet of them.",
    discussion: """
      The server has a JSON list at /users, such as [{"name": "Ada", "avatar": "/avatars/1.png"}]. Without --url the \
      program starts one of its own, with 30 users.

      Ctrl-C stops everything and leaves the output folder as it was. The exit status is 0 if all avatars are on the \
      sheet, 1 if some are missing or there is no sheet or no trace, 64 if an option is wrong, and 130 after Ctrl-C.
      """
  )

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The server to load from. (default: a built-in server)", valueName: "address"),
    transform: Arguments.server)
  var url: URL?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder for gallery.html and its pictures. (default: gallery-output)", valueName: "folder"),
    transform: Arguments.output)
  var output = URL(filePath: "gallery-output", directoryHint: .isDirectory)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The maximum number of avatars to load at a time. (default: 6)", valueName: "number"),
    transform: Arguments.concurrency)
  var concurrency = 6

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The time limit for an avatar, for all attempts together. (default: 10)", valueName: "seconds"),
    transform: Arguments.timeout)
  var timeout = Duration.seconds(10)

  @Option(
    help: ArgumentHelp(
      "Record what the promises wait for: as a page (.html), or for Perfetto (.json).", valueName: "file"),
    transform: Arguments.trace)
  var trace: URL?

  @Option(
    help: ArgumentHelp(
      "Serve a page with a search, a run and its timeline on this port, until Ctrl-C.", valueName: "port"),
    transform: Arguments.port)
  var serve: UInt16?

  func validate() throws {
    guard serve != nil else { return }
    if url != nil { throw ValidationError("--serve uses the built-in server and cannot be combined with --url.") }
    if trace != nil {
      throw ValidationError(
        "The page of --serve shows the timeline, so --trace cannot be combined with it.")
    }
  }

  func run() {
    Terminal.ignoreBrokenPipes()
    if let serve { servePage(on: serve) } else { makeSheet() }
  }

  private func makeSheet() {
    let trace = trace.map { Trace(file: $0) }
    if let complaint = trace?.check() {
      Terminal.writeError(complaint)
      Foundation.exit(1)
    }
    let progress = ProgressLine(style: Terminal.isInteractive ? .live : .plain, write: Terminal.writeError)

    // This token stops all work. It is invalidated on the main queue, where the progress is also shown, so that no
    // event follows the invalidation.
    let token = PromiseInvalidationToken()
    let interrupt = Interrupt { token.invalidate() }

    makeSheet(token: token, progress: progress)
      .requestCancelOnInvalidate(token)
      // No token here, because this step must also run after an interruption.
      .always(on: .main) { result in
        let ending = Ending(of: result, signal: interrupt.signal)
        progress.finish()
        Terminal.write(ending.message)
        Terminal.writeError(ending.complaint)
        let complaint = trace?.write()
        Terminal.writeError(complaint ?? "")
        Foundation.exit(complaint == nil ? ending.status : max(ending.status, 1))
      }

    // `.main` means the main queue, which a program without an event loop must serve itself.
    dispatchMain()
  }

  /// Loads from the server that was given, or from one that is started for this run and stopped afterwards.
  private func makeSheet(token: PromiseInvalidationToken, progress: ProgressLine) -> Promise<Summary, any Error> {
    if let url {
      return makeSheet(from: url, token: token, progress: progress).upcast
    }
    return DemoServer.start().flatMap(on: .utility) { server in
      makeSheet(from: server.address, token: token, progress: progress)
        // The closure retains the server until then.
        .always(on: .utility) { _ in server.stop() }
        // The server fails with `any Error` and the gallery with its own error, so the chain has the failure type `any
        // Error`.
        .upcast
    }
  }

  private func makeSheet(
    from server: URL, token: PromiseInvalidationToken, progress: ProgressLine
  ) -> Promise<Summary, GalleryError> {
    Gallery(settings(for: server)).make(token: token, reportingOn: .main, report: progress.show)
  }

  func settings(for server: URL) -> Gallery.Settings {
    var settings = Gallery.Settings(server: server, output: output)
    settings.concurrency = concurrency
    settings.timeout = timeout
    return settings
  }
}
