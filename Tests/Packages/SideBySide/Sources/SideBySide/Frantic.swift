import FranticApparatus
import Overmorrow

/// The part that was written with FranticApparatus.
enum Frantic {
  static func double(_ number: Overmorrow.Promise<Int, any Error>) -> Overmorrow.Promise<Int, any Error> {
    let promise = FranticApparatus.Promise(number)
    return promise.whenFulfilledThenTransform(on: GCDDispatcher.main) { 2 * $0 }.overmorrow
  }
}
