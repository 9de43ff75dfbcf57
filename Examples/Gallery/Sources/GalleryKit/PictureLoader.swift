import Foundation
import Overmorrow
import Synchronization

/// Loads the pictures of users into a folder, a few at a time.
struct PictureLoader: Sendable {
  let server: URL
  let client: HTTPClient
  let patience: Patience
  /// The maximum number of pictures that are loaded at a time.
  let concurrency: Int
  let folder: OutputFolder
  let reporter: Reporter

  /// Loads the pictures of all users.
  ///
  /// - Fulfils: with an outcome for each user, in the order of the users, when the last picture has ended.
  /// - Cancels: when requested, after the last picture has ended. From then on, nothing writes to the folder.
  ///
  /// - Parameters:
  ///   - users: The users.
  ///   - token: A token whose invalidation prevents further pictures from being started.
  func load(_ users: [User], token: PromiseInvalidationToken) -> Promise<[Outcome], Never> {
    // `joining` waits for running loads even after a cancellation, because they write into the folder.
    when(
      fulfilled: Array(users.enumerated()), maxConcurrent: concurrency, joining: true, on: .utility, token: token
    ) { index, user in
      reporter(.started(user))
      return load(user, number: index + 1)
        // `tap` observes without a vote on the cancellation of the picture. It is registered before the observers of
        // `when`, so it runs before them, and so before the next picture starts.
        .tap(on: .immediate) { result in
          if let outcome = result.value { reporter(.finished(outcome)) }
        }
    }
  }

  /// Loads the picture of a user. A failure is an outcome like any other, because it must not end the work for the
  /// other pictures.
  ///
  /// After `recover`, the promise cannot fail, as its type says. It may still be cancelled.
  private func load(_ user: User, number: Int) -> Promise<Outcome, Never> {
    let attempts = AttemptCounter()
    return fetch(user, attempts: attempts)
      .map(on: .utility) { (address, picture) throws(GalleryError) in
        guard let format = PictureFormat(of: picture) else { throw .notAPicture(address, bytes: picture.count) }
        let path = try folder.stage(picture, number: number, format: format)
        return Outcome(user: user, attempts: attempts.count, picture: .success(path))
      }
      .recover(on: .immediate) { error in
        Outcome(user: user, attempts: attempts.count, picture: .failure(error))
      }
  }

  private func fetch(_ user: User, attempts: AttemptCounter) -> Promise<(URL, Data), GalleryError> {
    let address: URL
    do throws(GalleryError) {
      address = try user.avatarAddress(on: server)
    } catch {
      return Promise(rejected: error)
    }
    return client.get(address, patience: patience) { count, error in
      attempts.count = count + 1
      reporter(.retrying(user, attempts: count, error))
    }
    .map(on: .immediate) { (address, $0) }
  }
}

/// The number of attempts to load a picture, including the current one.
private final class AttemptCounter: Sendable {
  private let attempts = Atomic(1)

  var count: Int {
    get { attempts.load(ordering: .relaxed) }
    set { attempts.store(newValue, ordering: .relaxed) }
  }
}
