import Tomorrowland

/// Calls of deprecated names, behind a protocol so that the tests that use them do not warn.
protocol OldNames {
  func cancel(_ promise: Promise<Int, String>)
  func promise(result: PromiseResult<Int, String>) -> Promise<Int, String>
  func promise(result: PromiseResult<Int, String>, after delay: Double) -> Promise<Int, String>
  func promise(
    on context: PromiseContext, result: PromiseResult<Int, String>, after delay: Double
  ) -> Promise<Int, String>
}

struct Deprecated: OldNames {
  @available(*, deprecated)
  func cancel(_ promise: Promise<Int, String>) { promise.cancel() }

  @available(*, deprecated)
  func promise(result: PromiseResult<Int, String>) -> Promise<Int, String> { Promise(result: result) }

  @available(*, deprecated)
  func promise(result: PromiseResult<Int, String>, after delay: Double) -> Promise<Int, String> {
    Promise(result: result, after: delay)
  }

  @available(*, deprecated)
  func promise(
    on context: PromiseContext, result: PromiseResult<Int, String>, after delay: Double
  ) -> Promise<Int, String> { Promise(on: context, result: result, after: delay) }
}
