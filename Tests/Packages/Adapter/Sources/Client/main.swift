import Foundation
import Vows

// A program that was written for the library of the adapter.
struct TooLong: Error {}

let text = Vow<String>()
let length = text.transformed { word in word.count }
let checked = length.followed { count in
  let vow = Vow<Int>()
  if count > 10 { vow.breakVow(TooLong()) } else { vow.keep(count) }
  return vow
}
text.keep("overmorrow")
text.keep("tomorrow")

var own: Vow<Int>?
let start = Vow<Int>()
let cycle = start.followed { _ in own! }
own = cycle
start.keep(1)

checked.ended { result in
  print("The length: \(result)")
  cycle.ended { result in
    print("The cycle: \(result)")
    let long = Vow<String>()
    long.transformed { _ in throw TooLong() }.ended { (result: Result<Void, any Error>) in
      print("A closure that throws: \(result)")
      exit(0)
    }
    long.keep("the day after tomorrow")
  }
}

dispatchMain()
