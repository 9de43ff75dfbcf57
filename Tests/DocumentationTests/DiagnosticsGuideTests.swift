import Foundation
import Overmorrow
import Testing

/// The sample of the guide `Diagnostics.md`.
@Suite(.inTurn) struct DiagnosticsGuideTests {
  @Test("15.10 a function that makes promises for others passes on the place of its caller")
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
}
