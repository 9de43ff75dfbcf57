import Overmorrow

final class Cart {
  var items = 0
}

func add(_ promise: Promise<Int, any Error>, to cart: Cart) {
  promise.then(on: .utility) { cart.items += $0 }  // error: capture of 'cart' with non-Sendable type 'Cart'
}
