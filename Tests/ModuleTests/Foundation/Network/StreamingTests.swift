import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

/// The memory that large bodies take, and the time of calls beside them. Each test runs in its own process, where no
/// other test uses memory.
@Suite(.heavy, .enabled(if: residentBytes() != nil), .serialized) struct StreamingTests {
  @Test("10.6 a download of one gibibyte to a file uses less than 100 MiB")
  func download() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let size = 1 << 30
      let server = try TestServer { $0.feed(size) }
      let memory = MemoryGauge()
      let file = folder.file("large")
      let response = await patientSession.download(server.address(), to: file) { _, _ in memory.note() }.outcome()
      try #require(response?.value?.isOK == true)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      try #require((attributes[.size] as? NSNumber)?.intValue == size)
      try #require(folder.names == ["large"])
      try #require(memory.growth < 100 << 20, "\(memory.growth >> 20) MiB")
    }
  }

  @Test("10.6 an upload of a 200 MiB file uses less than 100 MiB of memory")
  func upload() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let server = try TestServer { connection in
        var count = 0
        _ = connection.readBody { count += $0.count }
        connection.reply("200 OK", [], Data("\(count)".utf8))
      }
      let file = folder.file("large")
      try Data().write(to: file)
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 200 << 20)
      try handle.close()
      let memory = MemoryGauge()
      let response = await patientSession.upload(.file(file), to: server.address()) { _, _ in memory.note() }
        .outcome()
      try #require(response?.value?.text == "\(200 << 20)")
      try #require(memory.growth < 100 << 20, "\(memory.growth >> 20) MiB")
    }
  }

  @Test("10.18 downloads from a fast server are cancelled at once in bounded memory", arguments: [2, 12])
  func cancelling(count: Int) async throws {
    try await ExitArgument.passing(count) {
      await #expect(processExitsWith: .success) {
        let count = try ExitArgument.taken(Int.self)
        let folder = try TemporaryFolder()
        let (arrived, all, begun) = (Tally(), Signal(), Signal())
        let server = try TestServer { connection in
          arrived.add()
          if arrived.value == count { all.send() }
          all.block()
          connection.feed(1 << 30)
        }
        let memory = MemoryGauge()
        let configuration = patientConfiguration
        configuration.httpMaximumConnectionsPerHost = count
        let session = NetworkSession(configuration: configuration)
        let downloads = (0..<count).map { number in
          session.download(server.address(), to: folder.file("\(number)")) { received, _ in
            memory.note()
            if received > 1 << 24 { begun.send() }
          }
        }
        await begun.wait()
        let costs = downloads.map { download in CallCost { download.requestCancel() } }
        for download in downloads { try #require(await download.outcome()?.isCancelled == true) }
        memory.look()
        // When requests to cancel waited for the disk, each of these calls took 2 s and more. The first call also
        // includes dynamic linking, and each may lose its processor to the threads that send and write.
        try #require(
          costs.map(\.processorTime).sorted()[count / 2 - 1] < .milliseconds(1)
            && costs.allSatisfy { $0.time < .milliseconds(250) }, "\(costs)")
        try #require(memory.growth < 100 << 20, "\(memory.growth >> 20) MiB")
        try #require(folder.names == [])
      }
    }
  }

  @Test("10.25 requests that are sent or resumed beside fast downloads return at once")
  func sendingBesideDownloads() async {
    await #expect(processExitsWith: .success) {
      let (folder, begun) = (try TemporaryFolder(), Signal())
      let server = try TestServer { connection in
        connection.path == "/large" ? connection.feed(1 << 32) : connection.reply("200 OK", [], Data("here".utf8))
      }
      let session = NetworkSession(configuration: patientConfiguration)
      // Every process reads its configuration once, which is not measured.
      _ = await session.fetch(server.address()).outcome()
      let downloads = (0..<4).map { number in
        session.download(server.address("/large"), to: folder.file("\(number)")) { received, _ in
          if received > 1 << 26 { begun.send() }
        }
      }
      await begun.wait()
      let task = NetworkTask()
      task.suspend()
      let calls = Recorder<Promise<HTTPResponse, any Error>>()
      calls.record(session.fetch(server.address(), task: task))
      var costs = [CallCost { task.resume() }]
      costs += (0..<12).map { _ in CallCost { calls.record(session.fetch(server.address())) } }
      for download in downloads { download.requestCancel() }
      for call in calls.entries { try #require(await call.outcome()?.value?.text == "here") }
      // When these calls waited for the session's reader, one of them took 45 s.
      try #require(costs.allSatisfy { $0.time < .milliseconds(250) }, "\(costs)")
    }
  }

  @Test("10.18 a slow progress observer does not hold up the download or take memory")
  func slowProgress() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let size = 1 << 28
      let allHasGone = Signal()
      let server = try TestServer { connection in
        connection.feed(size)
        allHasGone.send()
      }
      let memory = MemoryGauge()
      let told = Recorder<Int64>()
      let response = patientSession.download(server.address(), to: folder.file("large")) { count, _ in
        memory.look()
        told.record(count)
        allHasGone.block()
      }
      try #require(await response.outcome()?.value?.isOK == true)
      try #require(told.entries.last == Int64(size) && told.entries == told.entries.sorted())
      try #require(memory.growth < 100 << 20, "\(memory.growth >> 20) MiB")
    }
  }
}

extension Connection {
  /// Sends as many bytes as the peer accepts.
  fileprivate func feed(_ size: Int) {
    sendHead("200 OK", ["Content-Length: \(size)"])
    let block = Data(repeating: 42, count: 1 << 20)
    for _ in 0..<(size >> 20) where !send(block) { return }
  }
}

/// The processor time and the elapsed time of a call.
private struct CallCost {
  let processorTime: Duration
  let time: Duration

  init(_ call: () -> Void) {
    let begin = processorTimeOfThread()
    time = ContinuousClock().measure(call)
    processorTime = processorTimeOfThread() - begin
  }
}

/// The largest growth of this process's memory since the gauge was created.
private final class MemoryGauge: Sendable {
  private let before = residentBytes() ?? 0
  private let (highest, calls) = (Maximum(), Counter())

  /// Measures once in 64 calls.
  func note() { if calls.increment() % 64 == 1 { look() } }

  func look() { if let now = residentBytes() { highest.record(now) } }

  var growth: Int { highest.value - before }
}
