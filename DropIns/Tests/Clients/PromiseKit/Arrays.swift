// Arrays of promises. In every language mode, an array of one type has the values of that type, as in PromiseKit 6.
import PromiseKit

func load(_ number: Int) -> Promise<Int> { .value(number) }
func loadText() -> Promise<String> { .value("text") }
func save() -> Promise<Void> { .value }

func oneType(_ numbers: [Int]) throws -> Int {
  let loaded = try when(fulfilled: numbers.map { load($0) }).wait()
  let sum = try hang(when(fulfilled: [load(1), load(2)])).reduce(0, +)
  when(fulfilled: [load(1), load(2)]).done { values in print(values[0] + 1) }.cauterize()
  when(fulfilled: numbers.map(load)).map { values in values.map { $0 + 1 } }.done { print($0.count) }.cauterize()
  when(fulfilled: [Guarantee.value(1), .value(2)]).done { values in print(values[0] + 1) }.cauterize()
  return loaded[0] + sum
}

func awaited(_ numbers: [Int]) async throws -> Int {
  let values = try await when(fulfilled: numbers.map { load($0) }).async()
  return values[0] + 1
}

func severalTypes() throws -> String {
  let mixed = try when(fulfilled: [load(1), loadText(), Guarantee.value(2)]).wait()
  let given: [any Thenable] = [load(1), load(2)]
  let values: [Any] = try when(fulfilled: given).wait()
  let anything: Promise<[Any]> = when(fulfilled: [load(1), load(2)])
  return "\(mixed[0] as? Int ?? 0) \(values) \(anything)"
}

func nothing() {
  let saved: Promise<Void> = when(fulfilled: [save(), save()])
  let both: Promise<Void> = when(fulfilled: save(), save())
  saved.then { both }.done { print("saved") }.cauterize()
  when(fulfilled: [save()]).done { print("saved") }.cauterize()
}
