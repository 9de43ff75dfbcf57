/// A piece of work: a function, and the word that it is called with, as Dispatch takes them. To be run once.
@safe
struct WorkItem: @unchecked Sendable {
  // Sendable: who makes an item gives the word away, to whoever runs the item.

  typealias Function = @convention(c) (_ word: UnsafeMutableRawPointer?) -> Void

  let function: Function
  let word: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - word: What the function needs. It has to be there until the item has run.
  ///   - function: What is to be done.
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

/// Makes one address of a closure, which is two words long.
private final class WorkBox: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
