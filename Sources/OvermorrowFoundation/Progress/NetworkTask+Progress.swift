public import Foundation
internal import Overmorrow

extension NetworkTask {
  /// The ``bytes`` of the request as a `Progress`, which cancels, pauses and resumes it.
  ///
  /// Add it to another one as a child, or show it. It is always the same object. Nothing is known of the total until
  /// the server has said it.
  public var progress: Progress {
    let (progress, isNew) = bridge.progress { makeProgress() }
    if isNew {
      bytes.onProgress(on: .immediate) { step in
        // A total that is not known is less than nothing, for `Progress`.
        progress.totalUnitCount = step.total ?? -1
        progress.completedUnitCount = step.completed
      }
    }
    return progress
  }

  private func makeProgress() -> Progress {
    let progress = Progress(totalUnitCount: -1)
    progress.kind = .file
    progress.isCancellable = true
    progress.isPausable = true
    progress.cancellationHandler = { [control] in control.cancel() }
    // Handlers may run in any order: what counts is what the progress says.
    let follow: @Sendable () -> Void = { [control, weak progress] in
      guard let progress else { return }
      if progress.isPaused { control.pause.suspend() } else { control.pause.resume() }
    }
    progress.pausingHandler = follow
    progress.resumingHandler = follow
    return progress
  }
}
