import DemoServer
import Foundation
import Testing

@testable import GalleryKit

@Suite struct PictureFormatTests {
  @Test func `formats are told apart by how the files begin`() {
    #expect(PictureFormat(of: Avatar(name: "Ada").png) == .png)
    #expect(PictureFormat(of: Data([0xFF, 0xD8, 0xFF, 0xE0])) == .jpeg)
    #expect(PictureFormat(of: Data("GIF89a".utf8)) == .gif)
    #expect(PictureFormat(of: Data("RIFF\0\0\0\0WEBPVP8 ".utf8)) == .webp)
  }

  @Test(arguments: ["", "<html>", "RIFF\0\0\0\0WAVE", "PNG"])
  func `anything else is no picture`(text: String) {
    #expect(PictureFormat(of: Data(text.utf8)) == nil)
  }
}
