#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// The search field of `Examples/Recipes`, written with Combine. The migration guide quotes both.
@MainActor
final class SearchModel: ObservableObject {
  @Published var text = ""
  @Published private(set) var results: [String] = []
  @Published private(set) var message: String?
  @Published private(set) var isLoading = false
  private var cancellables: Set<AnyCancellable> = []

  init(scheduler: some Scheduler, find: @escaping (String) -> AnyPublisher<[String], any Error>) {
    $text
      .dropFirst()
      .removeDuplicates()
      .handleEvents(receiveOutput: { [weak self] text in
        self?.message = nil
        self?.isLoading = !text.isEmpty
      })
      .debounce(for: .milliseconds(300), scheduler: scheduler)
      .map { text -> AnyPublisher<Result<[String], any Error>, Never> in
        if text.isEmpty { return Just(.success([])).eraseToAnyPublisher() }
        return find(text)
          .map { Result.success($0) }
          .catch { Just(Result.failure($0)) }
          .eraseToAnyPublisher()
      }
      .switchToLatest()
      .receive(on: scheduler)
      .sink { [weak self] result in
        self?.isLoading = false
        switch result {
        case .success(let results): self?.results = results
        case .failure(let error): self?.message = "\(error)"
        }
      }
      .store(in: &cancellables)
  }
}
