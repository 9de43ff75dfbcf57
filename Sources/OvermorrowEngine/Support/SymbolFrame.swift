/// A function in which an address lies, as the debug information of the program describes it.
package struct SymbolFrame: Sendable {
  /// The name of the function, as the linker knows it.
  package let symbol: String
  /// The name in Swift's notation, such as "Promise<>.map<A>(on:token:_:)".
  package let name: String
  /// The path of the file and the line; `nil` if there is no line, such as in a thunk.
  package let place: (path: String, line: Int)?

  package init(symbol: String, name: String, place: (path: String, line: Int)?) {
    self.symbol = symbol
    self.name = name
    self.place = place
  }
}
