/// An event of a run, to show its progress.
package enum GalleryEvent: Sendable {
  /// The list has been loaded, with this number of users.
  case listed(count: Int)

  /// The load of a picture has begun.
  case started(User)

  /// An attempt failed, counted from 1, and another one follows.
  case retrying(User, attempts: Int, GalleryError)

  /// A picture has been loaded, or could not be.
  case finished(Outcome)
}
