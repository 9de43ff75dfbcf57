import Overmorrow

@testable import OvermorrowEngine

/// The command-line options.
struct Options {
  var only: [String] = []
  var except: [String] = []
  /// The largest amount of processor time for a program, in seconds.
  var seconds = 20.0
  var mode: Mode?
  /// Whether to stop at the first finding.
  var stopsEarly = false
  var isQuiet = false
  var isList = false
  var jobs = 1

  init(_ arguments: [String]) throws(Problem) {
    var rest = arguments[...]
    func value(_ name: String) throws(Problem) -> String {
      guard let next = rest.popFirst() else { throw Problem(text: "\(name) needs a value") }
      return next
    }
    func number<Number: LosslessStringConvertible>(_ name: String) throws(Problem) -> Number {
      guard let number = Number(try value(name)) else { throw Problem(text: "\(name) needs a number") }
      return number
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--only": only.append(try value(argument))
      case "--except": except.append(try value(argument))
      case "--seconds": seconds = try number(argument)
      case "--jobs": jobs = try number(argument)
      case "--random": mode = .random(seed: try number(argument))
      case "--replay": mode = .replay(Array(try value(argument).utf8))
      case "--until-found": stopsEarly = true
      case "--quiet": isQuiet = true
      case "--list": isList = true
      case "--mutant": Explorer.mutant = try number(argument)
      case "--weaken":
        let text = try value(argument)
        guard let mutation = Mutation(text) else { throw Problem(text: "“\(text)” is no file:line:success:order") }
        Mutation.current = mutation
      default: throw Problem(text: "“\(argument)” is no option")
      }
    }
  }

  /// Whether this run breaks the engine on purpose.
  var isMutated: Bool { Mutation.current != nil || Explorer.mutant != 0 }

  struct Problem: Error {
    let text: String
  }
}
