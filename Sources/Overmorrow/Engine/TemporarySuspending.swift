enum Suspensions {
  static func suspend(_ core: CoreRef) {}
  static func resume(_ core: CoreRef) {}
}
extension StateWord { var isHeld: Bool { false } }
extension Producer { final var isHeld: Bool { false } }
extension WeakCore { func control(_ isSuspended: @Sendable () -> Bool) {} }
final class ProducerControl: Sendable {
  init(_ producer: any PromiseSuspendable) {}
  func update(for core: CoreRef) {}
}
