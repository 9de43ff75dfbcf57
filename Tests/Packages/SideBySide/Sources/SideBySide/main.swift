import Foundation
import Overmorrow

let start = Promise<Int, any Error>(fulfilled: 3)
let end = Kit.half(Land.increased(Queued.square(Shallow.next(Frantic.double(start)))))

end.tap { result in
  print("((2 * 3 + 1)^2 + 100 - 4) / 2 = \(result)")
  exit(0)
}

RunLoop.main.run()
