import CThermometer
import Overmorrow

/// Wraps a C function that reports its result by a callback.
///
/// The C function passes a pointer to its callback. The pointer retains the resolver until the callback takes it over,
/// so the C function must call back exactly once. It may do so on any thread.
func readTemperature(of sensor: Int32) -> Promise<Double, ThermometerError> {
  Promise(on: .immediate) { resolver in
    let context = unsafe Unmanaged.passRetained(Reading(resolver)).toOpaque()
    unsafe thermometer_read(
      sensor,
      { context, error, degrees in
        guard let context = unsafe context else { return }
        let resolver = unsafe Unmanaged<Reading>.fromOpaque(context).takeRetainedValue().resolver
        if error == 0 { resolver.fulfill(with: degrees) } else { resolver.reject(with: ThermometerError(code: error)) }
      }, context)
  }
}

struct ThermometerError: Error, Equatable {
  let code: Int32
}

/// An object that holds a resolver, which is a structure, so that a pointer can retain it.
private final class Reading {
  let resolver: Promise<Double, ThermometerError>.Resolver

  init(_ resolver: Promise<Double, ThermometerError>.Resolver) { self.resolver = resolver }
}
