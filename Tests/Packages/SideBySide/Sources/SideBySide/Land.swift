import Tomorrowland

/// The part written with Tomorrowland, whose promises are Overmorrow's.
enum Land {
  static func increased(_ number: StdPromise<Int>) -> StdPromise<Int> {
    number.tryMap(on: .utility, { $0 + 100 })
  }
}
