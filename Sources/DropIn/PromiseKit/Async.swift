internal import Overmorrow

extension Promise {
  /// The value, waited for by the task that asks, whether or not that is cancelled.
  ///
  /// - Throws: The error of the promise, also one that stands for having been cancelled.
  public nonisolated(nonsending) func async() async throws -> T {
    let outcome: Outcome<T> = await withCheckedContinuation { waiting in
      _ = _source.core.reportResult(on: .immediate, token: nil) { waiting.resume(returning: $0) }
    }
    return try outcome.unboxed()
  }
}

extension Guarantee {
  /// The value, waited for by the task that asks, whether or not that is cancelled.
  public nonisolated(nonsending) func async() async -> T {
    await withCheckedContinuation { waiting in
      _source.pipe { if case .fulfilled(let value) = $0 { waiting.resume(returning: Kept(value)) } }
    }.value
  }
}

#if canImport(Combine)
  public import Combine

  extension Guarantee {
    /// The same as a publisher.
    public func future() -> Future<T, Never> {
      Future { fulfill in
        self.pipe { if case .fulfilled(let value) = $0 { fulfill(.success(value)) } }
      }
    }
  }

  extension Promise {
    /// The same as a publisher. A cancelled error fails it, as any other.
    public func future() -> Future<T, any Error> {
      Future { fulfill in
        self.pipe { result in
          switch result {
          case .fulfilled(let value): fulfill(.success(value))
          case .rejected(let error): fulfill(.failure(error))
          }
        }
      }
    }
  }

  extension Future {
    /// A promise with the output of the publisher, or its failure.
    public func promise() -> PromiseKit.Promise<Output> {
      PromiseKit.Promise { seal in
        var subscription: AnyCancellable?
        subscription = sink(
          receiveCompletion: { completion in
            if case .failure(let error) = completion { seal.reject(error) }
            subscription = nil
          }, receiveValue: { seal.fulfill($0) })
        withExtendedLifetime(subscription) {}
      }
    }
  }

  extension Future where Failure == Never {
    /// A guarantee of the output of the publisher.
    public func guarantee() -> Guarantee<Output> {
      Guarantee { resolve in
        var subscription: AnyCancellable?
        subscription = sink(
          receiveCompletion: { _ in subscription = nil }, receiveValue: { resolve($0) })
        withExtendedLifetime(subscription) {}
      }
    }
  }
#endif
