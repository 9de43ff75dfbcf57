#if canImport(Combine)
  public import Combine
#elseif OpenCombine
  public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension Guarantee {
    /// Returns a publisher of the value.
    public func future() -> Future<T, Never> {
      Future { fulfill in
        self.pipe { if case .fulfilled(let value) = $0 { fulfill(.success(value)) } }
      }
    }
  }

  extension Promise {
    /// Returns a publisher of the result. An error that stands for cancellation also fails the publisher.
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
    /// Returns a promise with the output or the failure of the publisher.
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
    /// Returns a guarantee of the publisher's output.
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
