import Overmorrow

// No mistake at all: a closure of several statements whose result type only its body tells. The compiler looks at the
// closure behind it first, as in `[1].map { … }.forEach { print($0.magnitude) }`, and takes the value for `Any`.

func chain() {
  loadUser()
    .map { user in  // error: type 'Any' does not conform to the 'Sendable' protocol
      note(user.name)
      return user.age
    }
    .then { print($0) }  // error: type 'Any' does not conform to the 'Sendable' protocol
}

/// The remedy.
func chainThatSaysIt() {
  loadUser()
    .map { user -> Int in
      note(user.name)
      return user.age
    }
    .then { print($0) }
}

/// As good: something that asks for a type.
func chainThatAsks() {
  loadUser()
    .map { user in
      note(user.name)
      return user.age
    }
    .then { show($0) }
}
