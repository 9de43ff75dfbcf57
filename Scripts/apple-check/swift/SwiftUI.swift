// A stub of the declarations of SwiftUI that the modules use, according to its documentation.
@_exported import Foundation
import Swift
import _Concurrency

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}
extension Never: View {
  public var body: Never { fatalError() }
}
public struct AnyStubView: View {
  nonisolated init() {}
  public var body: Never { fatalError() }
}
public struct _ConditionalContent<TrueContent: View, FalseContent: View>: View {
  public var body: Never { fatalError() }
}
public struct Text: View {
  public init(_ content: String) {}
  public var body: Never { fatalError() }
}
public struct ProgressView: View {
  public init() {}
  public var body: Never { fatalError() }
}
public struct Button: View {
  @preconcurrency public init(_ title: String, action: @escaping @MainActor () -> Void) {}
  public var body: Never { fatalError() }
}
public struct List<Content: View>: View {
  public init<Data: RandomAccessCollection>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Content
  ) where Data.Element: Identifiable {}
  public var body: Never { fatalError() }
}
@resultBuilder public enum ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> _ConditionalContent<Content, AnyStubView> {
    fatalError()
  }
  public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
    fatalError()
  }
  public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
    fatalError()
  }
}
extension View {
  nonisolated public func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { AnyStubView() }
  nonisolated public func task<T: Equatable>(
    id value: T, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { AnyStubView() }
  nonisolated public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { AnyStubView() }
}
