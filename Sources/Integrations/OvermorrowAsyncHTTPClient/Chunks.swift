#if AsyncHTTPClient
  internal import Foundation
  internal import NIOCore
  internal import OvermorrowFoundation

  /// The body of an upload, in parts that are read on demand.
  struct Chunks: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private enum Source {
      case data(Data)
      case file(URL)
    }

    private static let length = 1 << 16

    let size: Int64
    private let source: Source
    private let receiver: HTTPReceiver

    init(of data: Data, _ receiver: HTTPReceiver) throws {
      size = Int64(data.count)
      source = .data(data)
      self.receiver = receiver
    }

    init(of file: URL, _ receiver: HTTPReceiver) throws {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      size = Int64(clamping: try handle.seekToEnd())
      source = .file(file)
      self.receiver = receiver
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: self) }

    struct AsyncIterator: AsyncIteratorProtocol {
      let chunks: Chunks
      private var handle: FileHandle?
      private var sent: Int64 = 0

      init(chunks: Chunks) { self.chunks = chunks }

      mutating func next() async throws -> ByteBuffer? {
        // The previous part has been sent, because the client asks for the next part only when the client can send.
        chunks.receiver.sent(sent)
        guard let part = try nextPart(), !part.isEmpty else { return nil }
        sent += Int64(part.count)
        return ByteBuffer(bytes: part)
      }

      private mutating func nextPart() throws -> Data? {
        switch chunks.source {
        case .data(let data): return data.dropFirst(Int(sent)).prefix(Chunks.length)
        case .file(let file):
          let handle = try handle ?? FileHandle(forReadingFrom: file)
          self.handle = handle
          return try handle.read(upToCount: Chunks.length)
        }
      }
    }
  }
#endif
