import Foundation
import PromiseQ

struct User {
  let id: Int
  let name: String
}

enum LoadError: Error {
  case offline
}

func user(_ id: Int) -> Promise<User> {
  return Promise { resolve, reject in
    DispatchQueue.global().async {
      if id > 0 { resolve(User(id: id, name: "user \(id)")) } else { reject(LoadError.offline) }
    }
  }
}

/// Work that can be stopped.
final class Job: Asyncable {
  private(set) var log: [String] = []
  var end: ((Int) -> Void)?

  func suspend() { log.append("suspended") }
  func resume() { log.append("resumed") }
  func cancel() { log.append("cancelled") }
}

var attempts = 0
let job = Job()

async {
  let first = try user(1).await()
  print("loaded \(first.name)")

  let all = try Promise.all(user(2), user(3)).await()
  print("loaded \(all.map { $0.name })")

  let winner = try Promise.any(user(-1), user(4)).await()
  print("any: \(winner.name)")

  let next = try `await` { user(5).then { user($0.id + 1) } }
  print("then \(next.name)")

  let made: Promise<User> = Promise { user(7) }
  print("and \(try made.await().name)")

  let number = try Promise(retry: 2) { () -> Int in
    attempts += 1
    if attempts < 3 { throw LoadError.offline }
    return attempts
  }.await()
  print("after \(number) attempts")

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
  print("the job was \(job.log.last ?? "left alone")")
}.catch { error in
  print("failed: \(error)")
}.finally {
  exit(0)
}

RunLoop.main.run()
