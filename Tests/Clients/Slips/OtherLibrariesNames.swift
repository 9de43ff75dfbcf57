import Overmorrow

// Names from other libraries: the compiler reports the name that this library uses.

func others() async throws {
  let page = loadPage(1)
  page.cancel()  // error: 'cancel()' has been renamed to 'requestCancel()'
  _ = try page.get()  // error: 'get()' is unavailable: use 'try await promise.value', or 'wait()'
}
