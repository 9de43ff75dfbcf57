public import Foundation
public import PromiseKit

extension NotificationCenter {
  /// Returns a guarantee that is fulfilled with the next notification of a name, on the thread that posts it. The
  /// observer is then removed.
  ///
  /// - Parameters:
  ///   - name: The name of the notification.
  ///   - object: The sender of the notification; by default, any object.
  public func observe(once name: Notification.Name, object: Any? = nil) -> Guarantee<Notification> {
    let (guarantee, fulfill) = Guarantee<Notification>.pending()
    let observer = Carried((self, addObserver(forName: name, object: object, queue: nil, using: fulfill)))
    guarantee.done(on: nil) { _ in
      let (center, token) = observer.value
      center.removeObserver(token)
    }
    return guarantee
  }
}
