import FranticApparatus
import Overmorrow
import PromiseKit
import PromiseQ
import ShallowPromises
import Tomorrowland

let theirs = [
  FranticApparatus.Promise(value: 1).value, PromiseKit.Promise(value: 2).value, PromiseQ.Promise(value: 3).value,
  ShallowPromises.Promise(value: 4).value, Tomorrowland.Promise(value: 5).value,
]
let ours = Overmorrow.Promise<[Int], Never>(fulfilled: theirs).map(on: .utility) { $0.reduce(0, +) }
print("the sum is", try await ours.value)
