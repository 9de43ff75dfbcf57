import FranticApparatus
import XCTest

// "Parallel promises with differing value types": the sample of FranticApparatus's readme.

private struct UIImage: Equatable {
  let name: String
}

private enum ReturnResults {
  case image(UIImage)
  case text(String)
  case number(Int)
}

private struct ActualResult: Equatable {
  let thumbnail: UIImage
  let title: String
  let age: Int
}

private final class Profile {
  var promise: Promise<ActualResult>?
  var result: ActualResult?
  let finished = XCTestExpectation(description: "the profile is there")

  func promiseThumbnail() -> Promise<UIImage> { Promise { fulfill, _, _ in fulfill(UIImage(name: "thumb")) } }
  func promiseTitle() -> Promise<String> { Promise { fulfill, _, _ in fulfill("title") } }
  func promiseAge() -> Promise<Int> { Promise { fulfill, _, _ in fulfill(42) } }

  func load() {
    let thumbnailPromise = PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) -> Promise<UIImage> in
        context.promiseThumbnail()
      }.whenFulfilledThenTransform { (context, thumbnail) -> ReturnResults in
        return .image(thumbnail)
      }
    }

    let titlePromise = PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) -> Promise<String> in
        context.promiseTitle()
      }.whenFulfilledThenTransform { (context, title) -> ReturnResults in
        return .text(title)
      }
    }

    let agePromise = PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) -> Promise<Int> in
        context.promiseAge()
      }.whenFulfilledThenTransform { (context, age) -> ReturnResults in
        return .number(age)
      }
    }

    self.promise = PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) -> Promise<[String: ReturnResults]> in
        all(["thumbnail": thumbnailPromise, "title": titlePromise, "age": agePromise])
      }.whenFulfilledThenTransform { (context, results) -> ActualResult in
        // With the "all" function getting here means all the keys are present so using "!" should be OK
        let thumbnailResult = results["thumbnail"]!
        let titleResult = results["title"]!
        let ageResult = results["age"]!

        let thumbnail: UIImage
        let title: String
        let age: Int

        switch thumbnailResult {
        case .image(let image):
          thumbnail = image
        default:
          fatalError("Programmer Error: If this happens thumbnailPromise was created incorrectly")
        }

        switch titleResult {
        case .text(let text):
          title = text
        default:
          fatalError("Programmer Error: If this happens titlePromise was created incorrectly")
        }

        switch ageResult {
        case .number(let number):
          age = number
        default:
          fatalError("Programmer Error: If this happens agePromise was created incorrectly")
        }

        return ActualResult(thumbnail: thumbnail, title: title, age: age)
      }.whenFulfilled { (context, result) in
        context.result = result
        context.finished.fulfill()
      }.whenComplete { (context) in
        context.promise = nil
      }
    }
  }
}

final class ParallelSampleTests: XCTestCase {
  func testThreeKindsOfValuesComeTogether() {
    let profile = Profile()
    profile.load()
    wait(for: [profile.finished], timeout: 60)
    XCTAssertEqual(profile.result, ActualResult(thumbnail: UIImage(name: "thumb"), title: "title", age: 42))
  }
}
