import Foundation
import OvermorrowFoundation
import Testing

@testable import GalleryKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct GalleryErrorTests {
  @Test(arguments: [(500, true), (503, true), (429, true), (404, false), (403, false), (301, false)])
  func `only the status of a busy server is transient`(code: Int, isTransient: Bool) throws {
    let url = try #require(URL(string: "http://host"))
    #expect(GalleryError.status(url, code: code).isTransient == isTransient)
  }

  @Test func `a lost connection is transient, and an unreachable server is not`() throws {
    let url = try #require(URL(string: "http://host"))
    func error(_ error: NetworkError) -> GalleryError { GalleryError(loading: url, error: error) }
    #expect(error(.connection(URLError(.networkConnectionLost))).isTransient)
    #expect(error(.truncated(received: 1, expected: 2)).isTransient)
    #expect(!error(.connection(URLError(.cannotConnectToHost))).isTransient)
    #expect(!error(.connection(URLError(.cannotFindHost))).isTransient)
    #expect(!error(.notHTTP(url)).isTransient)
  }

  @Test func `durations are written in seconds`() {
    #expect(Duration.seconds(7).inSeconds == "7 s")
    #expect(Duration.milliseconds(1234).inSeconds == "1.23 s")
    #expect(Duration.milliseconds(50).inSeconds == "0.05 s")
  }

  @Test func `the reason of a failed file operation is the system's message`() throws {
    let missing = URL(filePath: "/nowhere/at/all")
    let error = #expect(throws: (any Error).self) { try Data().write(to: missing) }
    #expect(systemReason(of: try #require(error)) == "No such file or directory")
    #expect(systemReason(of: POSIXError(.ENOSPC)) == "No space left on device")
  }
}
