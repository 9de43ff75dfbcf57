import Overmorrow

/// The part that was written with Overmorrow.
enum New {
  static func without(_ part: Int, _ number: Int) -> Promise<Int, any Error> {
    Promise(fulfilled: number).map(on: .utility) { $0 - part }
  }
}
