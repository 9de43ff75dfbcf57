package import Foundation

/// A connection to a test server, used by the thread that answers it.
package final class Connection {
  private let socket: Int32
  private var isOpen = true
  private var pending = Data()

  package private(set) var method = ""
  package private(set) var path = ""
  package private(set) var headers: [String: String] = [:]

  init(_ socket: Int32) {
    self.socket = socket
    #if canImport(Darwin)
      // Set on the socket, because `send` has no flag for it here: a disconnected peer must not end the process.
      var isOn: Int32 = 1
      // Unsafe: the size passed is that of the option.
      unsafe setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  // MARK: Reading

  /// Reads the head of the request. Returns `false` if there is none.
  package func readHead() -> Bool {
    let end = Data("\r\n\r\n".utf8)
    while pending.range(of: end) == nil {
      guard let more = receive() else { return false }
      pending += more
      if pending.first == 0x16 {
        // A client that starts a TLS handshake receives the answer of a server without TLS.
        reply("400 Bad Request")
        return false
      }
    }
    guard let range = pending.range(of: end) else { return false }
    let lines = String(decoding: pending[..<range.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    pending = Data(pending[range.upperBound...])
    let first = lines[0].split(separator: " ").map(String.init)
    (method, path) = (first[0], first[1])
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    if headers["expect"] != nil { send("HTTP/1.1 100 Continue\r\n\r\n") }
    return true
  }

  /// Reads the body of the request in parts. Returns `false` if it ends early.
  package func readBody(_ take: (Data) -> Void) -> Bool {
    var missing = Int(headers["content-length"] ?? "0") ?? 0
    while missing > 0 {
      guard let part = next() else { return false }
      take(part.prefix(missing))
      missing -= part.count
    }
    return true
  }

  /// Reads and returns the body of the request.
  package func body() -> Data {
    var body = Data()
    _ = readBody { body += $0 }
    return body
  }

  /// Waits until the other side has closed the connection.
  package func waitForClose() { while receive() != nil {} }

  private func next() -> Data? {
    if pending.isEmpty { return receive() }
    defer { pending = Data() }
    return pending
  }

  private func receive() -> Data? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe recv(socket, &buffer, buffer.count, 0)
    return count > 0 ? Data(buffer[..<count]) : nil
  }

  // MARK: Answering

  /// Sends bytes unchanged. Returns `false` if the peer does not accept them.
  @discardableResult
  package func send(_ data: Data) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var sent = 0
    // Unsafe: the accesses stay within the bytes of the data.
    unsafe data.withUnsafeBytes { bytes in
      while sent < bytes.count {
        let count = unsafe Foundation.send(socket, bytes.baseAddress! + sent, bytes.count - sent, flags)
        if count <= 0 { return }
        sent += count
      }
    }
    return sent == data.count
  }

  @discardableResult
  package func send(_ text: String) -> Bool { send(Data(text.utf8)) }

  package func sendHead(_ status: String, _ headers: [String] = []) {
    send((["HTTP/1.1 \(status)"] + headers + ["Connection: close", "", ""]).joined(separator: "\r\n"))
  }

  /// Sends a complete response.
  package func reply(_ status: String = "200 OK", _ headers: [String] = [], _ body: Data = Data()) {
    sendHead(status, headers + ["Content-Length: \(body.count)"])
    send(body)
  }

  /// Sends the head of a response with the given content length, and a part of its body.
  package func begin(of length: Int, _ part: Data) {
    sendHead("200 OK", ["Content-Length: \(length)"])
    send(part)
  }

  package func close() {
    guard isOpen else { return }
    isOpen = false
    _ = shutdown(socket, Int32(SHUT_RDWR))
    _ = Foundation.close(socket)
  }
}
