public import OvermorrowEngine

/// Returns a promise for the results of all inputs, in the order of the inputs. The promise never fails.
///
/// ```swift
/// when(settled: uploads).then { results in
///   show("\(results.filter { $0.value != nil }.count) of \(results.count) are there")
/// }
/// ```
///
/// - Fulfils: when all inputs have finished, with their results in the order of the inputs. If there are no inputs, at
///   once.
/// - Cancels: never. A request to cancel withdraws one vote on each input. After the request, the promise is still
///   fulfilled when all inputs have finished. The results show which inputs were cancelled.
/// - Parameters:
///   - promises: The inputs.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
/// - Complexity: One registration for each input.
@inlinable
public func when<Value, Failure>(
  settled promises: [Promise<Value, Failure>], fileID: StaticString = #fileID, line: UInt = #line
) -> Promise<[PromiseResult<Value, Failure>], Never> {
  if promises.isEmpty { return Promise(fulfilled: [], fileID: fileID, line: line) }
  let keeper = ResultKeeper(promises)
  let (promise, resolver) = Promise<[PromiseResult<Value, Failure>], Never>.makeForLibrary(at: CallSite(fileID, line))
  let gathering = Gathering(resolver: resolver, count: promises.count, cancelling: false, joining: false) {
    .value(keeper.results())
  }
  gathering.register(promises, by: NoneDecides<Value, Failure, [PromiseResult<Value, Failure>]>.self)
  return promise
}

/// Returns a promise for the results of inputs of different types, in the order of the inputs. The promise never fails.
///
/// ```swift
/// when(settled: loadUser(), loadAvatar()).then { user, avatar in
///   show(user.value ?? "nobody", avatar.value ?? .anonymous)
/// }
/// ```
///
/// - Fulfils: when all inputs have finished, with their results in the order of the inputs. If there are no inputs, at
///   once.
/// - Cancels: never. A request to cancel withdraws one vote on each input. After the request, the promise is still
///   fulfilled when all inputs have finished. The results show which inputs were cancelled.
/// - Parameters:
///   - promise: The inputs, any number of them.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
/// - Complexity: One registration for each input.
@inlinable
public func when<each Value: Sendable, each Failure: Sendable>(
  settled promise: repeat Promise<each Value, each Failure>, fileID: StaticString = #fileID, line: UInt = #line
) -> Promise<(repeat PromiseResult<each Value, each Failure>), Never> {
  typealias Output = (repeat PromiseResult<each Value, each Failure>)
  let keeper = (repeat ResultKeeper([each promise]))
  var count = 0
  for _ in repeat each promise { count += 1 }
  let (result, resolver) = Promise<Output, Never>.makeForLibrary(at: CallSite(fileID, line))
  let gathering = Gathering<Output, Never>(resolver: resolver, count: count, cancelling: false, joining: false) {
    .value((repeat (each keeper).results()[0]))
  }
  if count == 0 { gathering.conclude() }
  var steps = NewSteps(reserving: count)
  repeat gathering.register(each promise, by: NoneDecides<each Value, each Failure, Output>.self, into: &steps)
  gathering.wait(for: steps)
  return result
}

/// Returns a promise for the results of all inputs, under the keys of the inputs. The promise never fails.
///
/// ```swift
/// when(settled: ["news": fetchNews(), "weather": fetchWeather()]).then { parts in
///   show(parts["news"]?.value ?? "no news", parts["weather"]?.value ?? "no forecast")
/// }
/// ```
///
/// - Fulfils: when all inputs have finished, with their results under the keys of the inputs. If there are no inputs,
///   at once.
/// - Cancels: never. A request to cancel withdraws one vote on each input. After the request, the promise is still
///   fulfilled when all inputs have finished. The results show which inputs were cancelled.
/// - Parameters:
///   - promises: The inputs.
///   - fileID: The file of the call, for ``PromiseDiagnostics``.
///   - line: The line of the call.
/// - Complexity: One registration for each input.
public func when<Key: Sendable, Value, Failure>(
  settled promises: [Key: Promise<Value, Failure>], fileID: StaticString = #fileID, line: UInt = #line
) -> Promise<[Key: PromiseResult<Value, Failure>], Never> {
  let keys = Array(promises.keys)
  return when(settled: Array(promises.values), fileID: fileID, line: line)
    .transformValue(on: .immediate, token: nil) { .value(Dictionary(uniqueKeysWithValues: zip(keys, $0))) }
}

/// The rule of `when(settled:)`: no input decides on its own.
@usableFromInline
enum NoneDecides<Value: Sendable, InputFailure: Sendable, Output: Sendable>: GatheringRule {
  @inlinable
  static func decision(of input: PromiseResult<Value, InputFailure>) -> PromiseResult<Output, Never>? { nil }
}
