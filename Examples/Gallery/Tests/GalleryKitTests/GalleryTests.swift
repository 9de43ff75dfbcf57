import DemoServer
import Dispatch
import Foundation
import Overmorrow
import OvermorrowFlow
import Synchronization
import TestSupport
import Testing

@testable import GalleryKit

/// Runs from the server's list to the contact sheet.
@Suite(.timeLimit(.minutes(2))) struct GalleryTests {
  private let folder: TemporaryFolder
  private let token = PromiseInvalidationToken()
  private let events = Recorder<GalleryEvent>()

  /// Measures timeouts and delays. Its time does not pass, so that no test depends on the load of the machine.
  private let clock = ManualClock()

  /// The output folder, which does not exist yet.
  private var output: URL { folder.path("sheet") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func settings(_ server: LocalServer) -> Gallery.Settings {
    var settings = Gallery.Settings(server: server.address, output: output)
    settings.retry.backoff = .none
    settings.clock = clock
    return settings
  }

  private func make(_ settings: Gallery.Settings) -> Promise<Summary, GalleryError> {
    Gallery(settings).make(token: token, reportingOn: .immediate, report: events.record)
  }

  // MARK: Loading

  @Test func `a run against the demo server puts 30 valid PNGs on the sheet`() async throws {
    let server = try #require(await DemoServer.start().finished().value)
    defer { server.stop() }
    let summary = try #require(await make(settings(server)).finished().value)
    #expect(summary.loaded == 30)
    #expect(summary.retried == 4)
    #expect(summary.failures.isEmpty)
    #expect(summary.sheet == output.appending(component: "gallery.html"))

    let page = try String(contentsOf: summary.sheet, encoding: .utf8)
    let images = page.matches(of: /<img src="([^"]+)"/).map { String($0.1) }
    #expect(images.count == 30)
    for image in images {
      let file = try PNGFile(Data(contentsOf: output.appending(path: image)))
      #expect(file.width == 128)
      #expect(file.height == 128)
    }
    let files = ["sheet", "sheet/avatars", "sheet/gallery.html"] + images.map { "sheet/\($0)" }
    #expect(folder.contents == files.sorted())
  }

  @Test func `a picture that is refused at first is requested again`() async throws {
    let start = DemoServer.start(pictures: 3) { $0.picture == 2 && $0.number <= 3 ? .status(503) : .picture }
    let server = try #require(await start.finished().value)
    defer { server.stop() }
    let summary = try #require(await make(settings(server)).finished().value)

    #expect(summary.loaded == 3)
    #expect(summary.retried == 1)
    #expect(summary.outcomes.map(\.attempts) == [1, 4, 1])
    let reports = events.elements.compactMap { event in
      if case .retrying(let user, let attempts, _) = event { "\(user.name) \(attempts)" } else { nil }
    }
    #expect(reports == ["Alan Turing 1", "Alan Turing 2", "Alan Turing 3"])
  }

  @Test func `a picture that is always refused is reported, and the others are loaded`() async throws {
    let start = DemoServer.start(pictures: 3) { $0.picture == 2 ? .status(503) : .picture }
    let server = try #require(await start.finished().value)
    defer { server.stop() }
    let summary = try #require(await make(settings(server)).finished().value)

    #expect(summary.loaded == 2)
    #expect(summary.failures.map(\.user.name) == ["Alan Turing"])
    #expect(summary.failures.first?.attempts == 4)
    let address = server.address.appending(path: "avatars/2.png")
    #expect(summary.failures.first?.failure == .status(address, code: 503))
    #expect(try String(contentsOf: summary.sheet, encoding: .utf8).contains("not loaded"))
  }

  @Test func `a permanent error is not retried`() async throws {
    let visits = Recorder<Int>()
    let start = DemoServer.start(pictures: 1) { visit in
      visits.record(visit.number)
      return .status(403)
    }
    let server = try #require(await start.finished().value)
    defer { server.stop() }
    let summary = try #require(await make(settings(server)).finished().value)
    #expect(summary.failures.count == 1)
    #expect(visits.elements == [1])
  }

  @Test func `a body that is not a picture is reported`() async throws {
    let start = DemoServer.start(pictures: 2) { $0.picture == 1 ? .body(Data("<html>".utf8)) : .picture }
    let server = try #require(await start.finished().value)
    defer { server.stop() }
    let summary = try #require(await make(settings(server)).finished().value)
    let address = server.address.appending(path: "avatars/1.png")
    #expect(summary.failures.map(\.failure) == [.notAPicture(address, bytes: 6)])
  }

  @Test func `a server without users gives an empty sheet`() async throws {
    let server = try #require(await DemoServer.start(pictures: 0).finished().value)
    defer { server.stop() }
    let summary = try #require(await make(settings(server)).finished().value)
    #expect(summary.outcomes.isEmpty)
    #expect(folder.contents == ["sheet", "sheet/avatars", "sheet/gallery.html"])
  }

  @Test func `exactly the allowed number of pictures are in flight`() async throws {
    // Three visits must arrive before the first of them is answered, so a loader that requests fewer than three never
    // receives an answer.
    let groups = (0..<10).map { _ in Latch(3) }
    let visits = Mutex((arrived: 0, inFlight: 0, most: 0))
    let start = DemoServer.start(pictures: 30) { _ in
      let number = visits.withLock { visits in
        visits.arrived += 1
        visits.inFlight += 1
        visits.most = max(visits.most, visits.inFlight)
        return visits.arrived
      }
      let group = groups[(number - 1) / 3]
      group.arrive()
      await group.opened()
      visits.withLock { $0.inFlight -= 1 }
      return .picture
    }
    let server = try #require(await start.finished().value)
    defer { server.stop() }
    var settings = settings(server)
    settings.concurrency = 3
    let summary = try #require(await make(settings).finished().value)
    #expect(summary.loaded == 30)
    #expect(visits.withLock { $0.most } == 3)
  }

  @Test func `no more pictures than allowed are reported as in flight`() async throws {
    let server = try #require(await DemoServer.start(pictures: 30) { _ in .picture }.finished().value)
    defer { server.stop() }
    var settings = settings(server)
    settings.concurrency = 4
    let queue = DispatchQueue(label: "events")
    let sheet = Gallery(settings).make(token: token, reportingOn: .queue(queue), report: events.record)
    _ = try #require(await sheet.finished().value)
    queue.sync {}

    var inFlight = 0
    for event in events.elements {
      switch event {
      case .started: inFlight += 1
      case .finished: inFlight -= 1
      case .listed, .retrying: break
      }
      #expect(0...4 ~= inFlight)
    }
    #expect(inFlight == 0)
  }

  // MARK: Cancellation

  /// Makes a server that sends the first four pictures and never answers requests for the others.
  private func halfSilentServer(silent: Latch) async throws -> LocalServer {
    let start = DemoServer.start(pictures: 12) { visit in
      if visit.picture > 4 {
        silent.arrive()
        await Latch().opened()
      }
      return .picture
    }
    return try #require(await start.finished().value)
  }

  @Test func `an invalidation during a run leaves no file and ends the reports`() async throws {
    let silent = Latch(6)
    let server = try await halfSilentServer(silent: silent)
    defer { server.stop() }
    // On the queue on which events are reported, no event is in flight.
    let queue = DispatchQueue(label: "events")
    let sheet = Gallery(settings(server)).make(token: token, reportingOn: .queue(queue), report: events.record)
    await silent.opened()

    let reported = await withCheckedContinuation { continuation in
      queue.async { [token, events] in
        token.invalidate()
        continuation.resume(returning: events.elements.count)
      }
    }
    #expect(await sheet.finished().isCancelled)
    #expect(events.elements.count == reported)
    #expect(folder.contents.isEmpty)
  }

  @Test func `a cancelled run leaves the previous sheet unchanged`() async throws {
    let first = try #require(await DemoServer.start(pictures: 5) { _ in .picture }.finished().value)
    defer { first.stop() }
    _ = try #require(await make(settings(first)).finished().value)
    let before = folder.contents
    let page = try Data(contentsOf: output.appending(component: "gallery.html"))

    let silent = Latch(6)
    let second = try await halfSilentServer(silent: silent)
    defer { second.stop() }
    let sheet = make(settings(second))
    await silent.opened()
    token.invalidate()
    #expect(await sheet.finished().isCancelled)
    #expect(folder.contents == before)
    #expect(try Data(contentsOf: output.appending(component: "gallery.html")) == page)
  }

  @Test func `a run that is cancelled before its start does nothing`() async throws {
    let server = try #require(await DemoServer.start(pictures: 2) { _ in .picture }.finished().value)
    defer { server.stop() }
    let sheet = make(settings(server))
    token.invalidate()
    #expect(await sheet.finished().isCancelled)
    #expect(folder.contents.isEmpty)
  }

  @Test func `a request to the promise cancels the run`() async throws {
    let silent = Latch(6)
    let server = try await halfSilentServer(silent: silent)
    defer { server.stop() }
    let sheet = make(settings(server))
    await silent.opened()
    sheet.requestCancel()
    #expect(await sheet.finished().isCancelled)
    #expect(folder.contents.isEmpty)
  }

  // MARK: Failure

  @Test func `a picture that exceeds the time limit fails with the limit`() async throws {
    let silent = Latch()
    let start = DemoServer.start(pictures: 3) { visit in
      if visit.picture == 2 {
        silent.arrive()
        await Latch().opened()
      }
      return .picture
    }
    let server = try #require(await start.finished().value)
    defer { server.stop() }
    var settings = settings(server)
    settings.timeout = .seconds(7)

    let others = Latch(2)
    let sheet = Gallery(settings).make(token: token, reportingOn: .immediate) { event in
      if case .finished = event { others.arrive() }
    }
    await silent.opened()
    await others.opened()
    clock.endAllSleeps()

    let summary = try #require(await sheet.finished().value)
    #expect(summary.loaded == 2)
    let address = server.address.appending(path: "avatars/2.png")
    #expect(summary.failures.map(\.failure) == [.timedOut(address, limit: .seconds(7))])
    #expect(summary.failures.first?.failure?.description == "\(address) did not answer within 7 s")
  }

  @Test func `an unreachable server is an error with its address`() async throws {
    let server = try #require(URL(string: "http://127.0.0.1:1"))
    let result = await make(Gallery.Settings(server: server, output: output)).finished()
    let error = try #require(result.error)
    #expect(error.description.hasPrefix("cannot load http://127.0.0.1:1/users: "))
    #expect(folder.contents.isEmpty)
  }

  @Test func `a server without a list is an error with the status`() async throws {
    let server = try #require(await DemoServer.start(pictures: 1).finished().value)
    defer { server.stop() }
    var settings = settings(server)
    settings.server.append(path: "elsewhere")
    let result = await make(settings).finished()
    #expect(result.error == .status(server.address.appending(path: "elsewhere/users"), code: 404))
    #expect(folder.contents.isEmpty)
  }

  @Test func `a folder that cannot be created is an error with its path`() async throws {
    let server = try #require(URL(string: "http://127.0.0.1:1"))
    try Data().write(to: output)
    let inFile = output.appending(component: "in-a-file")
    let result = await make(Gallery.Settings(server: server, output: inFile)).finished()
    #expect(result.error == .notWritable(path: output.path, reason: "it is a file, not a folder"))
  }

  @Test func `a file in place of the pictures' folder is an error and remains`() async throws {
    let server = try #require(URL(string: "http://127.0.0.1:1"))
    try Data("mine".utf8).write(to: folder.path("avatars"))
    let result = await make(Gallery.Settings(server: server, output: folder.url)).finished()
    let path = folder.path("avatars").path
    #expect(result.error == .notWritable(path: path, reason: "it is a file, not a folder"))
    #expect(folder.contents == ["avatars"])
  }
}
