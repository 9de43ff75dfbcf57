import Foundation
import Overmorrow
import Synchronization

/// Loads pictures of users into a folder, a few at a time.
struct PictureLoader: Sendable {
  let server: URL
  let client: HTTPClient
  let patience: Patience
  /// How many pictures are loaded side by side.
  let concurrency: Int
  let folder: OutputFolder
  let reporter: Reporter

  /// Loads the pictures of all users.
  ///
  /// - Fulfils: with an outcome for each user, in the order of the users, once the last of them has come to its end.
  /// - Cancels: when asked to, also once the last of them has come to its end: from then on nothing writes to the
  ///   folder.
  ///
  /// - Parameters:
  ///   - users: Whose pictures to load.
  ///   - token: Keeps pictures from being started after it is invalidated.
  func load(_ users: [User], token: PromiseInvalidationToken) -> Promise<[Outcome], Never> {
    // `joining` waits for those on their way, also after one was cancelled: they write into the folder.
    when(
      fulfilled: Array(users.enumerated()), maxConcurrent: concurrency, joining: true, on: .utility, token: token
    ) { index, user in
      reporter(.started(user))
      return load(user, number: index + 1)
        // `tap` looks on without taking part: it has no say in whether the picture is cancelled. Registered before
        // whatever `when` registers, it also runs before, and so before the next picture starts.
        .tap(on: .immediate) { result in
          if let outcome = result.value { reporter(.finished(outcome)) }
        }
    }
  }

  /// Loads the picture of a user. A failure is an outcome like another: it must not end the work for the others.
  ///
  /// After `recover` there is nothing left that could fail, and the type says so. It may still be cancelled.
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

/// The number of attempts at a picture, the one on its way included.
private final class AttemptCounter: Sendable {
  private let attempts = Atomic(1)

  var count: Int {
    get { attempts.load(ordering: .relaxed) }
    set { attempts.store(newValue, ordering: .relaxed) }
  }
}
