public import Foundation
internal import Overmorrow

extension NetworkTask {
  /// The ``bytes`` of the request as a `Progress`, which can also cancel, pause and resume the request.
  ///
  /// Show it, or add it to another `Progress` as a child. The property always returns the same object. The total is
  /// unknown until the server has announced it. After a response with an empty body, one of one unit is completed,
  /// because a `Progress` of no units never ends.
  public var progress: Progress {
    let (progress, isNew) = bridge.progress { makeProgress() }
    if isNew {
      bytes.onProgress(on: .immediate) { step in
        let isEmpty = step.total == 0 && step.fraction == 1
        // `Progress` expresses an unknown total by a negative number.
        progress.totalUnitCount = isEmpty ? 1 : step.total ?? -1
        progress.completedUnitCount = isEmpty ? 1 : step.completed
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
    // Handlers may run in any order, so each of them reads the current state of the progress.
    let follow: @Sendable () -> Void = { [control, weak progress] in
      guard let progress else { return }
      if progress.isPaused { control.pause.suspend() } else { control.pause.resume() }
    }
    progress.pausingHandler = follow
    progress.resumingHandler = follow
    return progress
  }
}
