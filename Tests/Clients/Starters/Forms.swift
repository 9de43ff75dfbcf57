import Overmorrow
import OvermorrowFlow

// Jobs of a limiter. Tests compile this file as it is, and with the other functions that start work substituted.

extension Model {
  func forms() {
    limiter.run { self.reload(1) }.then { self.title = "\($0)" }
    limiter.run { try await self.update(1) }.then { self.title = "\($0)" }
    limiter.run {
      self.title = "a"
      return self.reload(1)
    }.then { self.title = "\($0)" }
    limiter.run {
      self.title = "a"
      return try await self.update(1)
    }.catch { self.title = "\($0)" }
    limiter.run { Promise { try await self.update(1) } }.then { self.title = "\($0)" }
    _ = keep(limiter.run { try await self.update(1) })
    _ = keep(
      limiter.run {
        self.title = "a"
        return try await self.update(1)
      })
    let ran = limiter.run { self.reload(1) }
    let awaited = limiter.run { try await self.update(1) }
    compare(ran, awaited)
  }
}
