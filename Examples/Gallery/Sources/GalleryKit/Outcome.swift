/// The outcome of loading one user's picture.
package struct Outcome: Sendable {
  /// The user.
  package let user: User

  /// The number of attempts.
  package let attempts: Int

  /// The path of the picture's file within the output folder, or the error.
  package let picture: Result<String, GalleryError>

  /// The reason why there is no picture.
  package var failure: GalleryError? {
    if case .failure(let error) = picture { error } else { nil }
  }
}
