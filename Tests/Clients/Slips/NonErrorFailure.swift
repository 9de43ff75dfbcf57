import Overmorrow

// Operators whose closure receives the value require a failure type that conforms to `Error`.

func chain(_ number: Promise<Int, String>) {
  number.then(on: .main) { show($0 + 1) }  // error: referencing instance method 'then(on:token:_:)' on 'Promise'
  number.map { $0 * 2 }.catch { note($0) }  // error: referencing instance method
}
