internal import OvermorrowEngine

/// The calls that functions of the library have made, for builds that do not know the lines of calls.
///
/// A function belongs to the library if its name begins with a module of the library. Functions of the standard library
/// count as well, because the library calls them with its closures. The program's extensions of types of both libraries
/// also have such names. So the call of a function in such an extension is found, and not a call in the function.
enum OwnCalls {
  /// The largest number of addresses that are kept. The search of a name may visit all names of a program.
  private static var limit: Int { 10_000 }
  private static let known = Guarded<[UInt: Bool]>([:])

  /// Returns whether a function of the library has made a call.
  static func isOwn(returnAddress: UInt) -> Bool {
    if let isOwn = known.withLock({ $0[returnAddress] }) { return isOwn }
    let isOwn = Symbols.function(at: returnAddress - 1).map { Self.isOwn(function: $0) } ?? false
    known.withLock { known in
      if known.count == limit { known = [:] }
      known[returnAddress] = isOwn
    }
    return isOwn
  }

  /// Returns whether a function belongs to the library, or is a thunk that the compiler has made.
  static func isOwn(function name: String) -> Bool {
    name.hasSuffix("TR") || name.hasSuffix("TRTA") || beginnings.contains { name.hasPrefix($0) }
  }

  /// The beginnings of names, such as "$s10Overmorrow". In names, a type of the standard library has a letter instead
  /// of its module.
  private static let beginnings =
    ["$sS", "$ss"] + CallSite.ownModules.map { "$s\($0.count - 1)\($0.dropLast())" }
}

extension CallStack {
  /// The calls without the first ones that functions of the library have made. All calls, if the library has made all
  /// of them.
  var ofProgram: CallStack {
    let addresses = addresses.drop { OwnCalls.isOwn(returnAddress: $0) }
    return addresses.isEmpty ? self : CallStack(addresses: Array(addresses))
  }
}
