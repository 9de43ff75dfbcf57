// Eight steps with multi-statement closures, as users of PromiseKit write them.
import Foundation
import PromiseKit

class Loader {
  var title = ""
  var count = 0

  func page(_ number: Int) -> Promise<String> { return .value("\(number)") }

  func load() {
    firstly { () -> Promise<String> in
      let number = count + 1
      return page(number)
    }.map { text in
      let words = text.split(separator: " ")
      return words.count
    }.then { number -> Promise<String> in
      self.count = number
      return self.page(number * 2)
    }.compactMap { text in
      let trimmed = text.trimmingCharacters(in: .whitespaces)
      return Int(trimmed)
    }.get { number in
      self.count += number
      self.title = "\(number)"
    }.recover { error -> Promise<Int> in
      guard !error.isCancelled else { throw error }
      return .value(0)
    }.then { number in
      when(fulfilled: self.page(number), self.page(number + 1))
    }.done { first, second in
      let both = first + second
      self.title = both
    }.ensure {
      self.count = 0
    }.catch { error in
      let text = "\(error)"
      self.title = text
    }.finally {
      self.count += 1
    }
  }
}
