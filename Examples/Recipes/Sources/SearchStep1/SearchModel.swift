import Observation
import Overmorrow

@MainActor @Observable
final class SearchModel {
  var text = ""
  private(set) var results: [String] = []

  private let find: @MainActor (String) -> Promise<[String], any Error>

  init(find: @escaping @MainActor (String) -> Promise<[String], any Error>) { self.find = find }
}
