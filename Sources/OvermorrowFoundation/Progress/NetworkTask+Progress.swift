public import Foundation
internal import Overmorrow
internal import OvermorrowFlow

extension NetworkTask {
  /// The ``bytes`` of the request as a `Progress`, which can also cancel, pause and resume the request.
  ///
  /// Show the `Progress`, or add it to another `Progress` as a child. The property always returns the same object. The
  /// total of a response is unknown until the server has announced the length of the body. After a response with an
  /// empty body, the `Progress` has one unit, which is completed, because a `Progress` without units never finishes.
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
