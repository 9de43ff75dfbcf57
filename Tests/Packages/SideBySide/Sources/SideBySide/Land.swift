import Tomorrowland

/// The part that was written with Tomorrowland, whose promises are those of Overmorrow.
enum Land {
  static func increased(_ number: StdPromise<Int>) -> StdPromise<Int> {
    number.tryMap(on: .utility, { $0 + 100 })
  }
}
