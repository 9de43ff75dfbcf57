import Overmorrow

// A program whose main is async. It ends before or after its first suspension, as its argument selects.

let (unresolved, resolver) = Promise<Int, any Error>.makeWithResolver()
unresolved.then { print($0) }
if CommandLine.arguments[1] == "suspended" { await Task.yield() }
