/// The task that calls.
package enum CurrentTask {
  package static var exists: Bool {
    // Unsafe: the task is only compared with `nil`.
    unsafe withUnsafeCurrentTask { unsafe $0 != nil }
  }

  /// A number that identifies this task while it runs; `nil` outside tasks.
  package static var number: Int? {
    // Unsafe: the task is only used to compute the number.
    unsafe withUnsafeCurrentTask { unsafe $0?.hashValue }
  }
}
