import Overmorrow
import ShallowPromises

/// The part that was written with ShallowPromises.
enum Shallow {
  static func next(_ number: Overmorrow.Promise<Int, any Error>) -> Overmorrow.Promise<Int, any Error> {
    ShallowPromises.Promise(number).then { ShallowPromises.Promise<Int>().fulfill(with: $0 + 1) }.overmorrow
  }
}
