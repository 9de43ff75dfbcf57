import Foundation

/// Encodes a canvas as a PNG file: 8 bits per channel, without alpha and without compression.
///
/// Deflate allows *stored* blocks, which contain their bytes unchanged. A picture grows by a few bytes instead of
/// shrinking, but needs no compressor.
enum PNGEncoder {
  /// Returns the bytes of the file.
  static func encode(_ canvas: Canvas) -> Data {
    var header = Data()
    header.appendBigEndian(UInt32(canvas.width))
    header.appendBigEndian(UInt32(canvas.height))
    header.append(contentsOf: [8, 2, 0, 0, 0])  // bits per channel, RGB, deflate, adaptive filters, not interlaced

    var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    file.append(chunk("IHDR", header))
    file.append(chunk("IDAT", zlibStored(scanlines(of: canvas))))
    file.append(chunk("IEND", Data()))
    return file
  }

  /// Every row, preceded by the number of its filter, which is 0 (none).
  private static func scanlines(of canvas: Canvas) -> Data {
    var lines = Data(capacity: canvas.height * (1 + canvas.width * 3))
    for row in 0..<canvas.height {
      lines.append(0)
      for pixel in canvas.pixels[row * canvas.width..<(row + 1) * canvas.width] {
        lines.append(contentsOf: pixel.bytes)
      }
    }
    return lines
  }

  /// Returns a zlib stream of stored blocks.
  private static func zlibStored(_ bytes: Data) -> Data {
    var stream = Data([0x78, 0x01])
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(Int(UInt16.max))
      rest = rest.dropFirst(block.count)
      stream.append(rest.isEmpty ? 1 : 0)
      stream.appendLittleEndian(UInt16(block.count))
      stream.appendLittleEndian(~UInt16(block.count))
      stream.append(block)
    } while !rest.isEmpty
    stream.appendBigEndian(adler32(bytes))
    return stream
  }

  private static func chunk(_ type: String, _ content: Data) -> Data {
    let body = Data(type.utf8) + content
    var chunk = Data(capacity: body.count + 8)
    chunk.appendBigEndian(UInt32(content.count))
    chunk.append(body)
    chunk.appendBigEndian(crc32(body))
    return chunk
  }
}

extension Data {
  fileprivate mutating func appendBigEndian(_ number: UInt32) {
    for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: number >> UInt32(shift))) }
  }

  fileprivate mutating func appendLittleEndian(_ number: UInt16) {
    append(UInt8(truncatingIfNeeded: number))
    append(UInt8(truncatingIfNeeded: number >> 8))
  }
}
