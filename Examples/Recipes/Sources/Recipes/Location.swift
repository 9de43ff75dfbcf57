import Overmorrow

/// Wraps a class that reports to a delegate, such as Core Location's manager.
///
/// The manager does not retain its delegate, but the cancel handler does until the promise is resolved. A request to
/// cancel stops the manager.
@MainActor
func currentLocation(from manager: LocationManager) -> Promise<Location, any Error> {
  let (promise, resolver) = Promise<Location, any Error>.makeWithResolver()
  let request = LocationRequest(manager, resolver)
  resolver.onRequestCancel { _ in request.cancel() }
  manager.delegate = request
  manager.requestLocation()
  return promise
}

@MainActor
private final class LocationRequest: LocationManagerDelegate {
  private let manager: LocationManager
  private let resolver: Promise<Location, any Error>.Resolver

  init(_ manager: LocationManager, _ resolver: Promise<Location, any Error>.Resolver) {
    self.manager = manager
    self.resolver = resolver
  }

  func cancel() {
    manager.stop()
    resolver.cancel()
  }

  func locationManager(_ manager: LocationManager, didFind location: Location) { resolver.fulfill(with: location) }

  func locationManager(_ manager: LocationManager, didFail error: any Error) { resolver.reject(with: error) }
}
