public import Foundation

extension NetworkTask {
  /// The bytes of the request as a `Progress`, which cancels, pauses and resumes it.
  ///
  /// Add it to another one as a child, or show it. It is always the same object. Nothing is known of the total until the
  /// server has said it.
  public var progress: Progress {
    bridge.progress {
      let progress = Progress(totalUnitCount: -1)
      progress.kind = .file
      progress.isCancellable = true
      progress.isPausable = true
      // The task keeps the progress.
      progress.cancellationHandler = { [weak self] in self?.cancel() }
      // Handlers may run in any order: what counts is what the progress says.
      let follow: @Sendable () -> Void = { [weak self, weak progress] in
        guard let self, let progress else { return }
        if progress.isPaused { suspend() } else { resume() }
      }
      progress.pausingHandler = follow
      progress.resumingHandler = follow
      return progress
    }
  }
}
