/// An object for callbacks to capture, because most callbacks capture something: a model, a view, a connection.
final class Captured: Sendable {
  let number = 1
}

/// A value that does not fit into a few registers.
struct Block: Sendable {
  typealias Four = (Int, Int, Int, Int)

  var first: Four
  var second: Four = (0, 0, 0, 0)
  var third: Four = (0, 0, 0, 0)
  var fourth: Four = (0, 0, 0, 0)

  init(_ number: Int) { first = (number, 0, 0, 0) }

  var next: Block {
    var next = self
    next.first.0 &+= 1
    return next
  }
}
