#if OVERMORROW_SYMBOLS && os(Linux) && canImport(Runtime)
  internal import Runtime

  /// Makes a `Backtrace` from return addresses.
  ///
  /// The type has no initialiser for addresses. A backtrace can only be captured, or decoded from the compact form that
  /// Swift's crash reporter writes. Capturing follows frame pointers. Functions of other languages may have none, so
  /// programs other than tests must not capture a backtrace at each step of a promise.
  struct BacktraceDecoder: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let fields: [String: String]

    /// Returns a backtrace with these return addresses; `nil` if this version of Swift has another compact form.
    static func backtrace(of addresses: [UInt]) -> Backtrace? {
      // The first byte is the version and the size of a word. Each address follows a byte that says that the address is
      // a return address, absolute, and how many bytes it has. A zero ends the list.
      var bytes: [UInt8] = [MemoryLayout<UInt>.size == 8 ? 2 : 1]
      for address in addresses {
        let size = MemoryLayout<UInt>.size
        bytes.append(0x28 | UInt8(size - 1))
        bytes += (0..<size).reversed().map { UInt8(truncatingIfNeeded: address >> ($0 * 8)) }
      }
      bytes.append(0)
      let decoder = BacktraceDecoder(fields: ["architecture": architecture, "backtrace": base64(bytes)])
      guard let backtrace = try? Backtrace(from: decoder),
        Array(backtrace.frames.map { UInt($0.originalProgramCounter) }) == addresses
      else { return nil }
      return backtrace
    }

    private static var architecture: String {
      #if arch(x86_64)
        "x86_64"
      #elseif arch(arm64)
        "aarch64"
      #elseif arch(i386)
        "i386"
      #else
        "arm"
      #endif
    }

    private static func base64(_ bytes: [UInt8]) -> String {
      let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
      var text = ""
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = (0..<3).map { start + $0 < bytes.count ? UInt32(bytes[start + $0]) : 0 }
        let word = group[0] << 16 | group[1] << 8 | group[2]
        let count = min(3, bytes.count - start) + 1
        text += (0..<count).map { digits[Int(word >> (18 - 6 * UInt32($0)) & 63)] }
      }
      return text
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      KeyedDecodingContainer(Container(fields: fields))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoSuchField() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NoSuchField() }
  }

  private struct NoSuchField: Error {}

  /// The fields of a backtrace, which are texts.
  private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let codingPath: [any CodingKey] = []
    let fields: [String: String]

    var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }
    func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }
    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
      guard let text = fields[key.stringValue] else { throw NoSuchField() }
      return text
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      guard let value = try decode(String.self, forKey: key) as? T else { throw NoSuchField() }
      return value
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { throw NoSuchField() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { throw NoSuchField() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { throw NoSuchField() }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { throw NoSuchField() }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { throw NoSuchField() }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { throw NoSuchField() }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { throw NoSuchField() }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { throw NoSuchField() }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { throw NoSuchField() }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { throw NoSuchField() }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { throw NoSuchField() }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { throw NoSuchField() }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { throw NoSuchField() }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw NoSuchField() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw NoSuchField() }
    func superDecoder() throws -> any Decoder { throw NoSuchField() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NoSuchField() }
  }
#endif
