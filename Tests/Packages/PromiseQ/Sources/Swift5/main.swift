import Foundation
import PromiseQ

struct User {
  let id: Int
  let name: String
}

func user(_ id: Int) -> Promise<User> {
  return Promise { resolve, reject in
    DispatchQueue.global().async { resolve(User(id: id, name: "user \(id)")) }
  }
}

/// Cancellable work.
final class Job: Asyncable {
  private(set) var log: [String] = []
  var end: ((Int) -> Void)?
  let cancelled = DispatchSemaphore(value: 0)

  func suspend() { log.append("suspended") }
  func resume() { log.append("resumed") }
  func cancel() {
    log.append("cancelled")
    cancelled.signal()
  }
}

let job = Job()

async {
  let first = try user(1).await()
  print("loaded \(first.name)")

  let next = try `await` { user(5).then { user($0.id + 1) } }
  print("then \(next.name)")

  do {
    _ = try Promise<Int>(timeout: 0.01) { resolve, reject in
      DispatchQueue.global().asyncAfter(deadline: .now() + 60) { resolve(1) }
    }.await()
  } catch PromiseError.timedOut {
    print("too late")
  }

  let begun = DispatchSemaphore(value: 0)
  let chain = Promise<Int> { resolve, reject, task in
    job.end = resolve
    task = job
    begun.signal()
  }.then { number in
    print("never \(number)")
  }
  let end = chain.catch { error in
    print("caught: \(error.localizedDescription)")
  }
  begun.wait()
  chain.suspend()
  chain.resume()
  chain.cancel()
  try end.await()
  print("cancelled: \(end.isCancelled)")
  // The closure may not have returned its job yet when the chain is cancelled.
  _ = job.cancelled.wait(timeout: .now() + 10)
  print("the job was \(job.log.last ?? "left alone")")
}.catch { error in
  print("failed: \(error)")
}.finally {
  exit(0)
}

RunLoop.main.run()
