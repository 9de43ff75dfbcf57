import Foundation
import GalleryKit
import Overmorrow
import Testing

@testable import gallery

@Suite struct EndingTests {
  @Test func `an error is printed and gives the status 1`() throws {
    let ending = Ending(of: .error(GalleryError.notAnAddress("x")), signal: nil)
    #expect(ending.status == 1)
    #expect(ending.complaint.hasPrefix("Error: 'x' is not the address of a picture"))
    #expect(ending.message.isEmpty)
  }

  @Test func `a cancelled run has the status of the signal that cancelled it`() {
    #expect(Ending(of: .cancelled, signal: SIGINT).status == 130)
    #expect(Ending(of: .cancelled, signal: SIGTERM).status == 143)
    #expect(Ending(of: .cancelled, signal: nil).status == 1)
  }
}
