import Overmorrow

// What a limiter starts. Tests compile this as it stands, and with the others that start work in its place.

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
