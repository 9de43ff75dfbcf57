import Foundation

/// A decoder of PNG files that checks every byte. It shares no code with the encoder.
///
/// The decoder understands only the encoder's output: 8-bit RGB without filters, in stored blocks.
package struct PNGFile {
  package struct Invalid: Error, CustomStringConvertible {
    package let description: String
  }

  package let width: Int
  package let height: Int

  /// The channels of all pixels, row by row.
  package let channels: [UInt8]

  package init(_ file: Data) throws {
    var reader = Reader(bytes: [UInt8](file)[...])
    try reader.expect([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "the signature")

    var chunks: [(type: String, content: [UInt8])] = []
    while !reader.bytes.isEmpty {
      let length = Int(try reader.bigEndian())
      let body = Array(try reader.take(4 + length))
      guard try reader.bigEndian() == Self.crc(body) else { throw Invalid(description: "a wrong CRC") }
      chunks.append((String(decoding: body.prefix(4), as: UTF8.self), Array(body.dropFirst(4))))
    }
    let types = chunks.map(\.type)
    guard types == ["IHDR", "IDAT", "IEND"] else { throw Invalid(description: "chunks \(types)") }

    var header = Reader(bytes: chunks[0].content[...])
    width = Int(try header.bigEndian())
    height = Int(try header.bigEndian())
    try header.expect([8, 2, 0, 0, 0], "8-bit RGB")

    let lines = try Self.inflate(chunks[1].content)
    let stride = 1 + width * 3
    guard lines.count == height * stride else { throw Invalid(description: "\(lines.count) bytes of pixels") }
    let rows = (0..<height).map { lines[$0 * stride..<($0 + 1) * stride] }
    guard rows.allSatisfy({ $0.first == 0 }) else { throw Invalid(description: "a filtered row") }
    channels = rows.flatMap { $0.dropFirst() }
  }

  private static func inflate(_ stream: [UInt8]) throws -> [UInt8] {
    var reader = Reader(bytes: stream[...])
    let (method, flags) = (try reader.byte(), try reader.byte())
    guard method == 0x78, (Int(method) * 256 + Int(flags)) % 31 == 0 else {
      throw Invalid(description: "no zlib header")
    }

    var output: [UInt8] = []
    var isLast = false
    while !isLast {
      isLast = try reader.byte() == 1
      let length = Int(try reader.byte()) + Int(try reader.byte()) * 256
      let complement = Int(try reader.byte()) + Int(try reader.byte()) * 256
      guard length + complement == 0xFFFF else { throw Invalid(description: "a broken block") }
      output += try reader.take(length)
    }

    var (a, b) = (1, 0)
    for byte in output {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    guard Int(try reader.bigEndian()) == b * 65_536 + a else { throw Invalid(description: "a wrong Adler-32") }
    return output
  }

  /// Computes a CRC-32 bit by bit.
  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = crc % 2 == 1
        crc /= 2
        if isOdd { crc ^= 0xEDB8_8320 }
      }
    }
    return crc ^ 0xFFFF_FFFF
  }

  private struct Reader {
    var bytes: ArraySlice<UInt8>

    mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
      guard bytes.count >= count else { throw Invalid(description: "an early end") }
      defer { bytes = bytes.dropFirst(count) }
      return bytes.prefix(count)
    }

    mutating func byte() throws -> UInt8 {
      try take(1).reduce(0, +)
    }

    mutating func bigEndian() throws -> UInt32 {
      try take(4).reduce(0) { $0 * 256 + UInt32($1) }
    }

    mutating func expect(_ expected: [UInt8], _ name: String) throws {
      guard Array(try take(expected.count)) == expected else { throw Invalid(description: "not \(name)") }
    }
  }
}
