import Observation
import Overmorrow

/// A mailbox that hides a deleted mail at once and deletes it on the server five seconds later.
///
/// Undoing cancels the countdown and the steps that follow it. The mail is then shown again, as it is after an error.
/// If the model is released during the countdown, the request is still sent.
@MainActor @Observable
final class MailboxModel {
  struct Mail: Identifiable, Equatable, Sendable {
    let id: Int
    var subject: String
  }

  var visibleMails: [Mail] { mails.filter { !hidden.contains($0.id) } }
  private(set) var message: String?
  private var mails: [Mail]
  private var hidden: Set<Mail.ID> = []
  private var undos: [Mail.ID: PromiseCancellable] = [:]

  private let send: @MainActor (Mail) -> Promise<Void, any Error>
  private let clock: any Clock<Duration>

  init(
    _ mails: [Mail], clock: any Clock<Duration> = ContinuousClock(),
    sendDelete: @escaping @MainActor (Mail) -> Promise<Void, any Error>
  ) {
    self.mails = mails
    self.clock = clock
    send = sendDelete
  }

  func delete(_ mail: Mail) {
    guard hidden.insert(mail.id).inserted else { return }
    message = nil
    let countdown = Promise<Void, any Error>(fulfilled: (), after: .seconds(5), clock: clock)
    undos[mail.id] = countdown.cancellable
    countdown
      .flatMap { [send] in send(mail) }
      .bound(to: self)
      .then { model, _ in model.mails.removeAll { $0.id == mail.id } }
      .catch { model, error in model.message = "\(error)" }
      .always { model, _ in model.hidden.remove(mail.id) }
    countdown.bound(to: self).always { model, _ in model.undos[mail.id] = nil }
  }

  func canUndo(_ mail: Mail) -> Bool { undos[mail.id] != nil }

  func undo(_ mail: Mail) { undos[mail.id]?.requestCancel() }
}
