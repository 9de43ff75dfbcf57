/// A piece of work that is run once: a function, and a word as its argument. Dispatch takes work in this form.
@safe
struct WorkItem: @unchecked Sendable {
  // Sendable: the code that creates an item hands the word over to the thread that runs the item.

  typealias Function = @convention(c) (_ word: UnsafeMutableRawPointer?) -> Void

  let function: Function
  let word: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - word: The argument of the function. The word must be valid until the item has run.
  ///   - function: The function to run.
  init(_ word: UnsafeMutableRawPointer, _ function: @escaping Function) {
    unsafe self.word = word
    unsafe self.function = function
  }

  init(_ work: @escaping @Sendable () -> Void) {
    // Unsafe: the word owns the box until the item is run. An item is run once.
    unsafe self.init(Unmanaged.passRetained(WorkBox(work)).toOpaque()) { word in
      guard let word = unsafe word else { return }
      unsafe Unmanaged<WorkBox>.fromOpaque(word).takeRetainedValue().work()
    }
  }

  func run() { unsafe function(word) }
}

/// A box with a closure. A closure has two words, so it does not fit into the one word of an item. The address of the
/// box fits.
private final class WorkBox: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
