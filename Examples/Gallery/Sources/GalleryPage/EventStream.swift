import FlyingSocks
import Foundation

/// Server-sent events, as the body of an answer that ends with them.
struct EventStream: AsyncBufferedSequence {
  typealias Element = UInt8

  /// The events, each as the bytes to send.
  let events: AsyncStream<[UInt8]>

  /// Returns an event with a value in JSON.
  static func event(_ name: String, _ value: some Encodable) -> [UInt8] {
    // A value of strings and numbers can always be encoded. JSON contains no line break, which would end the event.
    let json = (try? JSONEncoder().encode(value)) ?? Data("null".utf8)
    return Array("event: \(name)\ndata: \(String(decoding: json, as: UTF8.self))\n\n".utf8)
  }

  func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate var events: AsyncStream<[UInt8]>.Iterator
    private var rest: ArraySlice<UInt8> = []

    fileprivate init(events: AsyncStream<[UInt8]>.Iterator) { self.events = events }

    mutating func next() async -> UInt8? { await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async -> ArraySlice<UInt8>? {
      if rest.isEmpty {
        guard let event = await events.next() else { return nil }
        rest = event[...]
      }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
  }
}
