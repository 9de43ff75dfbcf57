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
      progress.pausingHandler = { [weak self] in self?.suspend() }
      progress.resumingHandler = { [weak self] in self?.resume() }
      return progress
    }
  }
}
