import Overmorrow

// Correct code that does not compile: a multi-statement closure whose result type can only be inferred from its body.
// The compiler checks the next closure first, as in `[1].map { … }.forEach { print($0.magnitude) }`, and infers `Any`
// for the value.

func chain() {
  loadUser()
    .map { user in  // error: type 'Any' does not conform to the 'Sendable' protocol
      note(user.name)
      return user.age
    }
    .then { print($0) }  // error: type 'Any' does not conform to the 'Sendable' protocol
}

/// The remedy: an explicit result type.
func chainWithResultType() {
  loadUser()
    .map { user -> Int in
      note(user.name)
      return user.age
    }
    .then { print($0) }
}

/// Another remedy: a following closure that determines the type.
func chainWithKnownType() {
  loadUser()
    .map { user in
      note(user.name)
      return user.age
    }
    .then { show($0) }
}
