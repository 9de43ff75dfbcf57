import Foundation
import TestSupport
import Testing

@testable import DemoServer

@Suite struct PNGEncoderTests {
  @Test func `checksums have the published values`() {
    #expect(crc32("123456789".utf8) == 0xCBF4_3926)
    #expect(adler32("Wikipedia".utf8) == 0x11E6_0398)
  }

  @Test func `a decoded file has the pixels of its canvas`() throws {
    let canvas = Canvas(width: 3, height: 2) { x, y in
      Color(hue: x / 3, saturation: 1, lightness: y / 2)
    }
    let file = try PNGFile(PNGEncoder.encode(canvas))
    #expect(file.width == 3)
    #expect(file.height == 2)
    #expect(file.channels == canvas.pixels.flatMap(\.bytes))
  }

  @Test func `a picture larger than a deflate block is decoded completely`() throws {
    let canvas = Canvas(width: 300, height: 200) { x, _ in Color(hue: x / 300, saturation: 0.5, lightness: 0.5) }
    #expect(try PNGFile(PNGEncoder.encode(canvas)).channels == canvas.pixels.flatMap(\.bytes))
  }

  @Test func `pure hues have their RGB channels`() {
    #expect(Color(hue: 0, saturation: 1, lightness: 0.5).bytes == [255, 0, 0])
    #expect(Color(hue: 1.0 / 3, saturation: 1, lightness: 0.5).bytes == [0, 255, 0])
    #expect(Color(hue: 2.0 / 3, saturation: 1, lightness: 0.5).bytes == [0, 0, 255])
    #expect(Color(hue: 0.4, saturation: 0, lightness: 1).bytes == [255, 255, 255])
  }
}
