import Overmorrow

// Names from other libraries: the compiler reports the name that this library uses.

func others() async throws {
  let page = loadPage(1)
  page.cancel()  // error: 'cancel()' has been renamed to 'requestCancel()'
  _ = try page.get()  // error: 'get()' is unavailable: use 'try await promise.value', or 'wait()'
  page.suspend()  // error: 'suspend()' is unavailable: suspend a 'PromisePause' of OvermorrowFlow, and pass contexts
  page.resume()  // error: 'resume()' is unavailable: resume the 'PromisePause' of the contexts
  #if !canImport(ObjectiveC)
    page.requestCancelOnDeinit(Screen())  // error: 'requestCancelOnDeinit' is unavailable: store a
  #endif
}

final class Screen {}
