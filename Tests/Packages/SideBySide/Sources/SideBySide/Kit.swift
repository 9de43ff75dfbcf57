import Overmorrow
import PromiseKit

/// The part that was written with PromiseKit. New code calls it, and it calls new code.
enum Kit {
  static func half(_ number: Overmorrow.Promise<Int, any Error>) -> Overmorrow.Promise<Int, any Error> {
    return firstly { PromiseKit.Promise(number) }.then { PromiseKit.Promise(New.without(4, $0)) }.map { $0 / 2 }.core
  }
}
