#if canImport(Glibc)
  import Glibc

  extension OneThread {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    // Written before the first job, and used only by the thread that runs the jobs.
    nonisolated(unsafe) private static var replacement: OneThread?

    /// Makes this executor run the jobs of all tasks without a preferred executor, until the program ends.
    ///
    /// It sets a hook of Swift's concurrency library, which Swift can find only by name.
    func replaceGlobalExecutor() {
      Self.replacement = self
      let hook = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook")
      // The runtime declares the variable with this type.
      hook?.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in OneThread.replacement?.append(job) }
    }
  }
#else
  extension OneThread {
    func replaceGlobalExecutor() { fatalError("the rows are measured on Linux with glibc") }
  }
#endif
