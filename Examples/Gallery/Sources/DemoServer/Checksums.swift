/// Returns the checksum that ends every chunk of a PNG file (CRC-32 of ISO 3309).
func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
  ~bytes.reduce(~0) { crc, byte in
    crcTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8)
  }
}

private let crcTable: [UInt32] = (0..<256).map { index in
  (0..<8).reduce(index) { crc, _ in
    crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1
  }
}

/// Returns the checksum that ends a zlib stream (Adler-32 of RFC 1950).
func adler32(_ bytes: some Sequence<UInt8>) -> UInt32 {
  let prime: UInt32 = 65_521
  var low: UInt32 = 1
  var high: UInt32 = 0
  for byte in bytes {
    low = (low + UInt32(byte)) % prime
    high = (high + low) % prime
  }
  return high << 16 | low
}
