public import Dispatch
import Overmorrow

// Tomorrowland collects results on a queue with a quality of service. Overmorrow collects each result on the thread
// that resolves the input. The parameter `qos` therefore has no effect.

/// Returns a promise for the values of all promises, in the order of the promises.
public func when<Value, Failure>(
  fulfilled promises: [Promise<Value, Failure>], qos: DispatchQoS.QoSClass, cancelOnFailure: Bool = false,
  fileID: StaticString = #fileID, line: UInt = #line
) -> Promise<[Value], Failure> {
  when(fulfilled: promises, cancelOnFailure: cancelOnFailure, fileID: fileID, line: line)
}

/// Returns a promise for the values of promises of different types, in the order of the promises.
public func when<each Value: Sendable, Failure>(
  fulfilled promise: repeat Promise<each Value, Failure>, qos: DispatchQoS.QoSClass, cancelOnFailure: Bool = false,
  fileID: StaticString = #fileID, line: UInt = #line
) -> Promise<(repeat each Value), Failure> {
  when(fulfilled: repeat each promise, cancelOnFailure: cancelOnFailure, fileID: fileID, line: line)
}
