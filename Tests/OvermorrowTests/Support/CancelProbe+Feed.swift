import Overmorrow

extension CancelProbe {
  /// Hands unresolved promises to a closure, which then has the only handles of them.
  static func feed<R>(_ count: Int, to body: ([Promise<Value, Failure>]) -> R) -> (R, [CancelProbe]) {
    let probes = (0..<count).map { _ in CancelProbe() }
    return (body(probes.map { $0.take() }), probes)
  }

  /// Hands an unresolved promise to a closure, which then has the only handle of it.
  static func feed<R>(to body: (Promise<Value, Failure>) -> R) -> (R, CancelProbe) {
    let probe = CancelProbe()
    return (body(probe.take()), probe)
  }
}
