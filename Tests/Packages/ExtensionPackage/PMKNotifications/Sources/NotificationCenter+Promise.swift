import Foundation
import PromiseKit

extension NotificationCenter {
  /// Observes the next notification of a name.
  public func observe(once name: Notification.Name, object: Any? = nil) -> Guarantee<Notification> {
    let (promise, fulfill) = Guarantee<Notification>.pending()
    let observer = addObserver(forName: name, object: object, queue: nil, using: fulfill)
    promise.done { _ in self.removeObserver(observer) }
    return promise
  }
}
