import Overmorrow
import OvermorrowFlow
import Testing

/// The samples and the statements of the guide `ActorOrder.md`.
@Suite(.inTurn) struct ActorOrderGuideTests {
  private let approval: Promise<Void, any Error>
  private let resolver: Promise<Void, any Error>.Resolver

  init() { (approval, resolver) = Promise.makeWithResolver() }

  /// Makes two withdrawals at the same time, and returns whether each of them succeeded.
  private func withdrawTwice(from account: some Withdrawing, _ bank: Bank, asked: Int) async -> [Bool] {
    let calls = [1, 2].map { _ in
      Task { () async -> Bool in
        do {
          try await account.withdraw(80)
          return true
        } catch {
          return false
        }
      }
    }
    await until("the bank to be asked, or the call to wait") {
      bank.asked.count == asked && account.waiting == 2 - asked
    }
    resolver.fulfill(with: ())
    return [await calls[0].value, await calls[1].value].sorted { $0 && !$1 }
  }

  @Test("without turns, two calls of an actor run interleaved")
  func interleaved() async {
    let bank = Bank(approval: approval)
    let account = Interleaved.Account(bank: bank)
    #expect(await withdrawTwice(from: account, bank, asked: 2) == [true, true])
    #expect(await account.balance == -60)
  }

  @Test("13.12 with turns, a call of an actor ends before the next begins")
  func ordered() async {
    let bank = Bank(approval: approval)
    let account = Ordered.Account(bank: bank)
    #expect(await withdrawTwice(from: account, bank, asked: 1) == [true, false])
    #expect(await account.balance == 20)
  }

  @Test("13.1 13.3 saves run one after the other, in the order of the calls")
  func saves() async throws {
    let store = Store()
    try await Task { @MainActor in
      let document = Document(store: store)
      let saves = ["a", "b", "c"].map { text in
        document.text = text
        return document.save()
      }
      for save in saves { try await save.value }
    }.value
    #expect(await store.texts == ["a", "b", "c"])
  }

  @Test("13.15 a call that takes its own turn again throws an error")
  func mistake() async {
    let (bank, other) = (Bank(approval: approval), Ordered.Account(bank: Bank(approval: approval)))
    let account = Ordered.Account(bank: bank)
    await #expect(throws: PromiseRefusalError.waitsForItself) { try await account.transfer(10, to: other) }
    #expect(await account.balance == 100)
  }

  @Test("13.12 two transfers in opposite directions end if no call waits inside its turn")
  func divided() async throws {
    resolver.fulfill(with: ())
    let (first, second) = (
      Divided.Account(bank: Bank(approval: approval)), Divided.Account(bank: Bank(approval: approval))
    )
    async let forth: Void = first.transfer(80, to: second)
    async let back: Void = second.transfer(50, to: first)
    _ = try await (forth, back)
    #expect(await first.balance == 70)
    #expect(await second.balance == 130)
  }
}

private struct InsufficientFunds: Error {}

/// A bank that approves when its promise is fulfilled.
struct Bank: Sendable {
  let approval: Promise<Void, any Error>
  let asked = Counter()

  func approve(_ amount: Int) async throws {
    asked.increment()
    try await approval.value
  }
}

private protocol Withdrawing: Sendable {
  /// The number of calls that wait for their turn.
  var waiting: Int { get }
  func withdraw(_ amount: Int) async throws
}

private enum Interleaved {
  actor Account {
    var balance = 100
    let bank: Bank

    init(bank: Bank) { self.bank = bank }

    func withdraw(_ amount: Int) async throws {
      guard balance >= amount else { throw InsufficientFunds() }
      try await bank.approve(amount)  // Other calls run here.
      balance -= amount
    }
  }
}

extension Interleaved.Account: Withdrawing {
  nonisolated var waiting: Int { 0 }
}

enum Ordered {
  actor Account {
    var balance = 100
    let bank: Bank
    let turns = PromiseLimiter(width: 1)

    init(bank: Bank) { self.bank = bank }

    func withdraw(_ amount: Int) async throws {
      try await turns.perform {
        guard balance >= amount else { throw InsufficientFunds() }
        try await bank.approve(amount)
        balance -= amount
      }
    }
  }
}

extension Ordered.Account: Withdrawing {
  nonisolated var waiting: Int { turns.pendingCount }

  func deposit(_ amount: Int) async throws { try await turns.perform { balance += amount } }
}

extension Ordered.Account {
  typealias Account = Ordered.Account

  func transfer(_ amount: Int, to other: Account) async throws {
    try await turns.perform {
      try await withdraw(amount)  // Throws `waitsForItself`.
      try await other.deposit(amount)
    }
  }
}

private enum Divided {
  actor Account {
    private(set) var balance = 100
    private let bank: Bank
    private let turns = PromiseLimiter(width: 1)

    init(bank: Bank) { self.bank = bank }

    func withdraw(_ amount: Int) async throws {
      try await turns.perform { try await takeOut(amount) }
    }

    /// Only for callers that have the turn.
    private func takeOut(_ amount: Int) async throws {
      guard balance >= amount else { throw InsufficientFunds() }
      try await bank.approve(amount)
      balance -= amount
    }

    func deposit(_ amount: Int) async throws { try await turns.perform { balance += amount } }

    func transfer(_ amount: Int, to other: Account) async throws {
      try await withdraw(amount)
      try await other.deposit(amount)
    }
  }
}

/// A store whose writes wait in the middle.
private actor Store {
  private(set) var texts: [String] = []

  func write(_ text: String) async throws {
    await Task.yield()
    texts.append(text)
  }
}

@MainActor
private final class Document {
  private let saves = PromiseLimiter(width: 1)
  private let store: Store
  var text = ""

  init(store: Store) { self.store = store }

  @discardableResult
  func save() -> Promise<Void, any Error> {
    saves.run { [store, text] in try await store.write(text) }
  }
}
