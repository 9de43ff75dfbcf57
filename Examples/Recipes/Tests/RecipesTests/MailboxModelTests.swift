import Overmorrow
import OvermorrowTesting
import Testing

@testable import Recipes

@MainActor @Suite(.checkedPromises) struct MailboxModelTests {
  private struct Offline: Error {}

  private let clock = TestClock()
  private let server = FakeServer<Int, Void>()
  private let mails = (1...3).map { MailboxModel.Mail(id: $0, subject: "Mail \($0)") }
  private let model: MailboxModel

  init() {
    model = MailboxModel(mails, clock: clock) { [server] mail in server.send(mail.id) }
  }

  private var visible: [Int] { model.visibleMails.map(\.id) }

  @Test("a deleted mail disappears at once, and its request is sent five seconds later")
  func delete() async {
    model.delete(mails[1])
    #expect(visible == [1, 3] && model.canUndo(mails[1]))
    await clock.advance(by: .milliseconds(4999))
    #expect(server.requests.isEmpty)
    await clock.advance(by: .milliseconds(1))
    #expect(server.requests == [2] && !model.canUndo(mails[1]))
    server.answer(2, with: ())
    await clock.advance(by: .zero)
    #expect(visible == [1, 3] && model.message == nil)
  }

  @Test("undoing brings the mail back to its place, and sends nothing")
  func undo() async {
    for mail in mails { model.delete(mail) }
    await clock.advance(by: .seconds(4))
    model.undo(mails[1])
    await clock.advance(by: .zero)
    #expect(visible == [2] && !model.canUndo(mails[1]))
    await clock.advance(by: .seconds(1))
    #expect(server.requests == [1, 3])
    server.answer(1, with: ())
    server.answer(3, with: ())
    await clock.advance(by: .zero)
    #expect(visible == [2])
  }

  @Test("undoing after five seconds has no effect")
  func tooLate() async {
    model.delete(mails[0])
    await clock.advance(by: .seconds(5))
    model.undo(mails[0])
    await clock.advance(by: .zero)
    #expect(visible == [2, 3] && server.cancelled.isEmpty)
    server.answer(1, with: ())
    await clock.advance(by: .zero)
  }

  @Test("an error brings the mail back, and the mail can be deleted again")
  func error() async {
    model.delete(mails[0])
    await clock.advance(by: .seconds(5))
    server.answer(1, with: Offline())
    await clock.advance(by: .zero)
    #expect(visible == [1, 2, 3] && model.message == "Offline()")
    model.delete(mails[0])
    await clock.advance(by: .seconds(5))
    #expect(visible == [2, 3] && server.requests == [1, 1])
    server.answer(1, with: ())
    await clock.advance(by: .zero)
  }

  @Test("the request is sent even if the model has been released")
  func released() async {
    var model: MailboxModel? = MailboxModel(mails, clock: clock) { [server] mail in server.send(mail.id) }
    weak let released = model
    model?.delete(mails[0])
    model = nil
    #expect(released == nil)
    await clock.advance(by: .seconds(5))
    #expect(server.requests == [1])
    server.answer(1, with: ())
    await clock.advance(by: .zero)
  }
}
