@_exported public import PromiseQBase

// Here, and not beside the type: a type and a function of one name cannot be declared in one module, and the function
// is needed as well (`PromiseQBase/async.swift`).

// swift-format-ignore: TypeNamesShouldBeCapitalized
/// Another name of ``Promise``. As a type it is written with back-ticks: `` func text() -> `async`<String> ``.
public typealias async = Promise
