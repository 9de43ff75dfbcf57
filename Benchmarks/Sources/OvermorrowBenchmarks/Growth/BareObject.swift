/// An object about as large as a promise that is only a link of a list: it shows the effect of caches and the allocator
/// at large numbers.
final class BareObject {
  private var next: BareObject?
  private let callback: (Int) -> Int
  private var rest: Block.Four = (0, 0, 0, 0)
  private var more: Block.Four = (0, 0, 0, 0)

  private init(_ callback: @escaping (Int) -> Int) { self.callback = callback }

  /// A list of `count` objects.
  static let growth = Growth("bare objects") { count in
    let captured = Captured()
    let first = BareObject { $0 &+ captured.number }
    var last = first
    for _ in 1..<count {
      let object = BareObject { $0 &+ captured.number }
      last.next = object
      last = object
    }
    var list: BareObject? = first
    return {
      var sum = 0
      while let object = list {
        sum = object.callback(sum)
        list = object.next
        object.next = nil
      }
      expect(sum == count, "bare objects")
    }
  }
}
