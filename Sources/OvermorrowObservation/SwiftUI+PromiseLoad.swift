#if canImport(SwiftUI)
  public import SwiftUI

  // This file is compiled for Apple's platforms against a stub of SwiftUI (`Scripts/apple-check`). It has not been run.

  /// A view that shows the value of a ``PromiseLoad``, or a placeholder while there is no value.
  ///
  /// ```swift
  /// PromiseLoadView(articles) { articles in
  ///   List(articles) { Text($0.title) }
  /// } placeholder: { phase in
  ///   if case .failed(let error, _) = phase { Text(error.localizedDescription) } else { ProgressView() }
  /// }
  /// ```
  ///
  /// The value stays while a new load is running, and after a new load has failed. Read ``PromiseLoad/error`` to show
  /// an error beside the value.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  public struct PromiseLoadView<Value: Sendable, Content: View, Placeholder: View>: View {
    // The handle is read inside `body`, so that SwiftUI observes what `body` has read.
    private let phase: @MainActor () -> PromisePhase<Value>
    private let content: (Value) -> Content
    private let placeholder: (PromisePhase<Value>) -> Placeholder

    /// Creates a view of a handle.
    ///
    /// - Parameters:
    ///   - load: The handle.
    ///   - content: A closure that returns the view of a value.
    ///   - placeholder: A closure that returns the view of a phase that has no value.
    public init<Input>(
      _ load: PromiseLoad<Input, Value>, @ViewBuilder content: @escaping (_ value: Value) -> Content,
      @ViewBuilder placeholder: @escaping (_ phase: PromisePhase<Value>) -> Placeholder
    ) {
      phase = { load.phase }
      self.content = content
      self.placeholder = placeholder
    }

    /// The view of the value or of the phase.
    public var body: some View {
      let phase = phase()
      if let value = phase.value { content(value) } else { placeholder(phase) }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  extension View {
    /// Starts a load when this view appears or gets another input or handle. When this view disappears, that load is
    /// asked to cancel if it is still running.
    ///
    /// - Parameters:
    ///   - input: The input of the handle's closure.
    ///   - load: The handle.
    public func task<Input: Hashable & Sendable, Value>(
      loading input: Input, in load: PromiseLoad<Input, Value>
    ) -> some View {
      task(id: LoadIdentity(load: ObjectIdentifier(load), input: input)) { await load.run(input) }
    }

    /// Starts a load when this view appears or gets another handle. When this view disappears, that load is asked to
    /// cancel if it is still running.
    ///
    /// - Parameter load: The handle.
    public func task<Value>(loading load: PromiseLoad<Void, Value>) -> some View {
      task(id: ObjectIdentifier(load)) { await load.run() }
    }

    /// Repeats the newest load of a handle when the user pulls to refresh.
    ///
    /// - Parameter load: The handle.
    public func refreshable<Input, Value>(_ load: PromiseLoad<Input, Value>) -> some View {
      refreshable { await load.refresh() }
    }
  }

  private struct LoadIdentity<Input: Hashable>: Hashable {
    let load: ObjectIdentifier
    let input: Input
  }
#endif
