/// What happens on the way, for whoever wants to show it.
package enum GalleryEvent: Sendable {
  /// The list has come, with so many users.
  case listed(count: Int)

  /// A picture is being loaded.
  case started(User)

  /// An attempt failed, the first of them with number 1, and another one follows.
  case retrying(User, attempts: Int, GalleryError)

  /// A picture is there, or will not come.
  case finished(Outcome)
}
