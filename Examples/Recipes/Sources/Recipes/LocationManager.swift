/// A replacement for a system class that calls its delegate on the main thread.
@MainActor
class LocationManager {
  weak var delegate: (any LocationManagerDelegate)?

  func requestLocation() {}
  func stop() {}
}

@MainActor
protocol LocationManagerDelegate: AnyObject {
  func locationManager(_ manager: LocationManager, didFind location: Location)
  func locationManager(_ manager: LocationManager, didFail error: any Error)
}

struct Location: Equatable, Sendable {
  var latitude: Double
  var longitude: Double
}
