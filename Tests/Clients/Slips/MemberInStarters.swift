import Overmorrow
import OvermorrowFlow

// A misspelt member in the closures that start work. Each call fits two overloads, which only the body of the closure
// tells apart.

func startersWithMistakes(limiter: PromiseLimiter, cache: PromiseCache<Int, Page, any Error>) {
  limiter.run { loadPage(1).mpa { $0.title } }  // error: value of type 'Promise<Page, any Error>' has no member 'mpa'
  limiter.run { try await loadPage(1).value.titel }  // error: value of type 'Page' has no member 'titel'
  cache.promise(for: 1) { loadPage($0.advnced(by: 1)) }  // error: value of type 'Int' has no member 'advnced'
  cache.promise(for: 1) { try await loadPage($0).valeu }  // error: value of type 'Promise<Page, any Error>' has no me
  Promise.retry { loadPage($0).mpa { $0.title } }  // error: value of type 'Promise<Page, any Error>' has no member 'm
  Promise.retry { number in try await loadPage(number).value.titel }  // error: value of type 'Page' has no member 'ti
  when(fulfilled: [1, 2], maxConcurrent: 2) { loadPage($0).mpa { $0.title } }  // error: value of type 'Promise<Page,
  when(fulfilled: [1, 2], maxConcurrent: 2) { try await loadPage($0).value.titel }  // error: value of type 'Page' has
}

// Here the compiler chooses the other overload, whose closure takes no argument.

func bodiesWithMistakes() {
  Promise<Page, any Error> { $0.fulfil(with: Page()) }  // error: contextual closure type '() async throws -> Page'
  LazyPromise<Page, any Error> { $0.fulfil(with: Page()) }  // error: contextual closure type '@isolated(any) @Send
}
