import Foundation
import Overmorrow
import Testing

/// The samples of the guide `Diagnostics.md`.
@Suite(.inTurn) struct DiagnosticsGuideTests {
  @Test("15.10 a function that makes promises for its caller passes on the caller's place")
  func place() {
    let mayRead = DispatchSemaphore(value: 0)
    defer { mayRead.signal() }
    @Sendable func read(_ url: URL) throws -> Data {
      mayRead.wait()
      throw CocoaError(.fileNoSuchFile)
    }
    func load(_ url: URL, fileID: StaticString = #fileID, line: UInt = #line) -> Promise<Data, any Error> {
      Promise(on: .utility, fileID: fileID, line: line) { resolver in
        resolver.fulfill(with: try read(url))
      }
    }
    let found = PromiseDiagnostics.checking(leaks: true) { load(URL(filePath: "/"), line: 7) }
    #expect(withExtendedLifetime(found.result) { found.diagnostics } == [.neverResolved(origin: "\(#fileID):7")])
  }

  @Test("15.31 a name tells the promises of one place apart")
  func names() {
    let number = 17
    let line = #line + 2
    func load(_ number: Int) -> Promise<Int, CocoaError> {
      Promise(rejected: CocoaError(.fileNoSuchFile))
    }
    let found = PromiseDiagnostics.checking {
      let order = load(number).named("order \(number)")
      withExtendedLifetime(order) {}
    }
    #expect(found.diagnostics == [.failureUnobserved(origin: "\(#fileID):\(line) \"order 17\"")])
  }

  @Test("15.42 a callback for an error reads the way of the error")
  func trail() async throws {
    let (attached, resolver) = Promise<String, any Error>.makeWithResolver()
    let logged = Recorder<String>()
    @Sendable func log(_ text: String) { logged.record(text) }
    @Sendable func attach(_ json: String) { resolver.fulfill(with: json) }
    let line = #line + 2
    _ = PromiseDiagnostics.checking {
      let forecast = Promise<Int, CocoaError>(rejected: CocoaError(.fileNoSuchFile))
      forecast.catch { error in
        guard let trail = PromiseDiagnostics.trail(of: error) else { return }
        log("\(error), on this way:\n\(trail)")
        attach(trail.json)
      }
    }
    let json = try await attached.value
    #expect(json.contains("\"place\":\"\(#fileID):\(line)\""))
    #expect(logged.entries.first?.hasSuffix("made at \(#fileID):\(line), rejected here") == true)
  }

  #if os(macOS) || os(Linux)
    @Test("15.14 errors are not watched at off, and are watched again at another level", .enabled(if: isLevelUnset))
    func level() async {
      await #expect(processExitsWith: .success) {
        let heard = Recorder<PromiseDiagnostic>()
        PromiseDiagnostics.handler = { heard.record($0) }
        func drop() { _ = Promise<Int, CocoaError>(rejected: CocoaError(.fileNoSuchFile)) }
        PromiseDiagnostics.level = .off
        drop()
        #expect(heard.entries == [])
        PromiseDiagnostics.level = .report
        drop()
        #expect(heard.entries.count == 1)
      }
    }
  #endif
}
