/// A piece of work that is run once: a function and the word to call it with, in the form that Dispatch takes.
@safe
struct WorkItem: @unchecked Sendable {
  // Sendable: the maker of an item hands the word over to the thread that runs it.

  typealias Function = @convention(c) (_ word: UnsafeMutableRawPointer?) -> Void

  let function: Function
  let word: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - word: The argument of the function. It must be valid until the item has run.
  ///   - function: The function to run.
  init(_ word: UnsafeMutableRawPointer, _ function: @escaping Function) {
    unsafe self.word = word
    unsafe self.function = function
  }

  init(_ work: @escaping @Sendable () -> Void) {
    // Unsafe: the word owns the box until the item is run, once.
    unsafe self.init(Unmanaged.passRetained(WorkBox(work)).toOpaque()) { word in
      guard let word = unsafe word else { return }
      unsafe Unmanaged<WorkBox>.fromOpaque(word).takeRetainedValue().work()
    }
  }

  func run() { unsafe function(word) }
}

/// Gives a closure, which is two words long, one address.
private final class WorkBox: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
