@_exported public import PromiseQBase

// Declared here and not beside `Promise`, because one module cannot declare a type and a function with the same name,
// and the function is needed as well (`PromiseQBase/async.swift`).

// swift-format-ignore: TypeNamesShouldBeCapitalized
/// Another name for ``Promise``. Written with backticks where a type is expected: `` func text() -> `async`<String> ``.
public typealias async = Promise
