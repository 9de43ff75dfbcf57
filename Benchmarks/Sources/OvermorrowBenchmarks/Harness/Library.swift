import ArgumentParser

/// Executes a number of operations of one row.
typealias Workload = (_ count: Int) -> Void

/// The libraries whose operations are measured.
enum Library: String, CaseIterable, ExpressibleByArgument {
  case overmorrow, c, promisekit, nio, opencombine, closures, gcd, unchecked, cancellable, checked, tasks

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// Returns the workload of a row, or `nil` if the library has no such operation.
  func workload(for row: Row) -> Workload? {
    switch self {
    case .overmorrow: OvermorrowRows.workload(for: row)
    case .c: CRows.workload(for: row)
    case .promisekit: PromiseKitRows.workload(for: row)
    case .nio: NIORows.workload(for: row)
    case .opencombine: OpenCombineRows.workload(for: row)
    case .closures: ClosureRows.workload(for: row)
    case .gcd: DispatchRows.workload(for: row)
    case .unchecked: ContinuationRows.unchecked(for: row)
    case .cancellable: ContinuationRows.cancellable(for: row)
    case .checked: ContinuationRows.checked(for: row)
    case .tasks: TaskRows.workload(for: row)
    }
  }
}
