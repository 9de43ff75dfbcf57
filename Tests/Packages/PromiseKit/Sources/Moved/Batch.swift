import Overmorrow

func thumbnail(_ number: Int) -> Promise<String, any Error> {
  Promise(fulfilled: "\(number).jpg", after: .milliseconds(number % 3))
}

func thumbnails() -> Promise<String, any Error> {
  when(fulfilled: 1...6, maxConcurrent: 2, on: .default) { number in thumbnail(number) }
    .map(on: .default) { $0.joined(separator: " ") }
    .timeout(on: .default, .seconds(30))
}
