import Overmorrow

enum LoadError: Error {
  case offline
}

func fetch(_ number: Int) async throws -> String { "\(number)" }

func compute(_ number: Int) async -> String { "\(number)" }

func load(_ number: Int) async throws(LoadError) -> String { "\(number)" }

func show(_ text: String) {}

/// Takes a promise as an argument.
func keep<Value, Failure>(_ promise: Promise<Value, Failure>) -> Promise<Value, Failure> { promise }

final class Owner: Sendable {}
