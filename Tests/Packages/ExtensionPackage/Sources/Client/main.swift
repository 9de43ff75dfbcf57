import Foundation
import PMKNotifications
import PromiseKit

let name = Notification.Name("saved")
let saved = NotificationCenter.default.observe(once: name)
firstly {
  after(seconds: 0.01)
}.then { () -> Guarantee<Notification> in
  NotificationCenter.default.post(name: name, object: nil)
  return saved
}.done { notification in
  print("observed: \(notification.name.rawValue)")
  exit(0)
}

RunLoop.main.run()
