public import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension HTTPResponse {
  /// The body as text; `nil` if the body cannot be decoded. The character set is the one that the server names. If that
  /// character set is missing or unknown, UTF-8 is used.
  public var text: String? { String(data: data, encoding: encoding) }

  /// Decodes the body as JSON.
  ///
  /// - Parameters:
  ///   - type: The type of the value to decode.
  ///   - decoder: The decoder to use.
  /// - Throws: `NetworkError.undecodable` if the body cannot be decoded.
  public func decoded<T: Decodable>(
    as type: T.Type = T.self, using decoder: JSONDecoder = JSONDecoder()
  ) throws(NetworkError) -> T {
    do { return try decoder.decode(type, from: data) } catch { throw .undecodable("\(type)", error) }
  }

  /// Parses the body as JSON, and returns a dictionary, an array, a string, a number, a Boolean value or `NSNull`.
  ///
  /// - Throws: `NetworkError.undecodable` if the body is not JSON.
  public func json() throws(NetworkError) -> Any {
    do {
      return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    } catch {
      throw .undecodable("JSON", error)
    }
  }

  private var encoding: String.Encoding {
    switch response.textEncodingName?.lowercased() {
    case "iso-8859-1", "latin1": .isoLatin1
    case "iso-8859-2", "latin2": .isoLatin2
    case "windows-1250": .windowsCP1250
    case "windows-1251": .windowsCP1251
    case "windows-1252": .windowsCP1252
    case "utf-16": .utf16
    case "utf-16le": .utf16LittleEndian
    case "utf-16be": .utf16BigEndian
    case "utf-32": .utf32
    case "shift_jis": .shiftJIS
    case "euc-jp": .japaneseEUC
    case "iso-2022-jp": .iso2022JP
    default: .utf8
    }
  }
}
