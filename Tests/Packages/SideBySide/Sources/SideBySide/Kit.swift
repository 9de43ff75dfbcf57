import Overmorrow
import PromiseKit

/// The part that was written with PromiseKit.
enum Kit {
  static func half(_ number: Overmorrow.Promise<Int, any Error>) -> Overmorrow.Promise<Int, any Error> {
    return firstly { PromiseKit.Promise(number) }.map { $0 / 2 }.core
  }
}
