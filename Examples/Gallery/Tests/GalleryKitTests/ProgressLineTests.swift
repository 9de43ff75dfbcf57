import Foundation
import TestSupport
import Testing

@testable import GalleryKit

@Suite struct ProgressLineTests {
  private let ada = User(name: "Ada", avatar: "/1.png")
  private let alan = User(name: "Alan", avatar: "/2.png")
  private let written = Recorder<String>()

  private func show(_ style: ProgressLine.Style) throws {
    let address = try #require(URL(string: "http://host/2.png"))
    let line = ProgressLine(style: style, write: written.record)
    line.show(.listed(count: 2))
    line.show(.started(ada))
    line.show(.started(alan))
    line.show(.finished(Outcome(user: ada, attempts: 1, picture: .success("avatars/001.png"))))
    line.show(.retrying(alan, attempts: 1, .status(address, code: 503)))
    line.show(.retrying(alan, attempts: 2, .status(address, code: 503)))
    line.show(.finished(Outcome(user: alan, attempts: 3, picture: .failure(.status(address, code: 404)))))
    line.finish()
  }

  @Test func `on a terminal, one line is redrawn and finally cleared`() throws {
    try show(.live)
    #expect(written.elements.allSatisfy { $0.hasPrefix("\r\u{1B}[2K") && !$0.contains("\n") })
    let lines = written.elements.map { $0.dropFirst(5) }
    #expect(
      lines == [
        "[------------------------] 0/2  0 in flight, 0 retried, 0 failed",
        "[------------------------] 0/2  1 in flight, 0 retried, 0 failed",
        "[------------------------] 0/2  2 in flight, 0 retried, 0 failed",
        "[############------------] 1/2  1 in flight, 0 retried, 0 failed",
        "[############------------] 1/2  1 in flight, 1 retried, 0 failed",
        "[############------------] 1/2  1 in flight, 1 retried, 0 failed",
        "[########################] 2/2  0 in flight, 1 retried, 1 failed",
        "",
      ])
  }

  @Test func `without a terminal, each important event is a line of text`() throws {
    try show(.plain)
    #expect(
      written.elements == [
        "2 pictures to load\n",
        "1/2 Ada\n",
        "Alan: http://host/2.png answered with status 503, expected 200, trying again\n",
        "Alan: http://host/2.png answered with status 503, expected 200, trying again\n",
        "2/2 Alan: failed\n",
      ])
  }
}
