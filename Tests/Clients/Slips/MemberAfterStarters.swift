import Overmorrow
import OvermorrowFlow

// A misspelt member in a chain that begins with work without a context. After a `flatMap`, the message is that of
// `SecondAfterFlatMap` in `SlipClientTests`.

func chainsWithMistakes(limiter: PromiseLimiter, cache: PromiseCache<Int, Page, any Error>) {
  cache.promise(for: 1) { loadPage($0) }
    .map { $0.title }
    .flatMap { loadPage($0.count) }
    .always { show($0.isCanceled ? 0 : 1) }  // error: value of type 'PromiseResult<Page, any Error>' has no member 'i
  cache.promise(for: 1) { try await loadPage($0).value }
    .map { $0.title }
    .flatMap { loadPage($0.count) }
    .always { show($0.isCanceled ? 0 : 1) }  // error: value of type 'PromiseResult<Page, any Error>' has no member 'i
  limiter.run { try await loadPage(1).value }
    .map { $0.titel }  // error: value of type 'Page' has no member 'titel'
    .flatMap { loadPage($0.count) }  // error: cannot infer type of closure parameter '$0' without a type annotation
    .then { show($0.count * 2) }
  Promise.retry { loadPage($0) }  // error: cannot convert value of type 'Promise<Page, any Error>' to closure result
    .map { $0.cuont }  // error: cannot infer type of closure parameter '$0' without a type annotation
    .flatMap { loadPage($0 + 1) }
    .then { show($0.count * 2) }
  when(fulfilled: [1, 2], maxConcurrent: 2) { try await loadPage($0).value }
    .map { $0.cuont }  // error: value of type '[Page]' has no member 'cuont'
    .flatMap { loadPage($0 + 1) }
    .then { show($0.count * 2) }
}
