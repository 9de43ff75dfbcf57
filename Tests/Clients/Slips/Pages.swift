import Overmorrow

/// The types and functions that these clients use.
struct User: Sendable {
  var name = ""
  var age = 1
}

struct Page: Sendable {
  var title = ""
  var count = 1
}

struct Outage: Error {}

final class Cart {
  var items = 0
}

func loadUser() -> Promise<User, any Error> { Promise(fulfilled: User()) }

func loadPage(_ number: Int) -> Promise<Page, any Error> { Promise(fulfilled: Page(count: number)) }

func loadDraft(_ number: Int) -> Promise<Page, Outage> { Promise(rejected: Outage()) }

func parse(_ text: String) throws -> Int { text.count }

func note(_ text: String) {}

func show(_ number: Int) {}

func report(_ error: any Error) {}
