import DemoServer
import Foundation
import Testing

@testable import GalleryKit

@Suite struct PictureFormatTests {
  @Test func `the first bytes of a file determine its format`() {
    #expect(PictureFormat(of: Avatar(name: "Ada").png) == .png)
    #expect(PictureFormat(of: Data([0xFF, 0xD8, 0xFF, 0xE0])) == .jpeg)
    #expect(PictureFormat(of: Data("GIF89a".utf8)) == .gif)
    #expect(PictureFormat(of: Data("RIFF\0\0\0\0WEBPVP8 ".utf8)) == .webp)
  }

  @Test(arguments: ["", "<html>", "RIFF\0\0\0\0WAVE", "PNG"])
  func `other files have no picture format`(text: String) {
    #expect(PictureFormat(of: Data(text.utf8)) == nil)
  }
}
