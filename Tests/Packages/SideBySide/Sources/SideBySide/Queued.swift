import Overmorrow
import PromiseQ

/// The part that was written with PromiseQ.
enum Queued {
  static func square(_ number: Overmorrow.Promise<Int, any Error>) -> Overmorrow.Promise<Int, any Error> {
    PromiseQ.Promise(number).then { $0 * $0 }.overmorrow
  }
}
