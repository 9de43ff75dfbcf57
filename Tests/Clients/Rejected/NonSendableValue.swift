import Overmorrow

final class Cart {
  var items = 0
}

func share(_ promise: Promise<Cart, String>) {}  // error: type 'Cart' does not conform to the 'Sendable' protocol

func fail(_ promise: Promise<Int, Cart>) {}  // error: type 'Cart' does not conform to the 'Sendable' protocol
