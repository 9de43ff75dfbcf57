/// How it went with the picture of one user.
package struct Outcome: Sendable {
  /// Whose picture it is.
  package let user: User

  /// How many attempts it took.
  package let attempts: Int

  /// The path of the picture's file within the output folder, or why there is none.
  package let picture: Result<String, GalleryError>

  /// Why there is no picture.
  package var failure: GalleryError? {
    if case .failure(let error) = picture { error } else { nil }
  }
}
