/// Prints the pending promises to standard error, as the C function `overmorrow_print_pending`.
///
/// A debugger can call a C function of a stopped program, in any language and without imports. The other threads have
/// to continue during the call, as they do by default, because a stopped thread may hold a lock of the list.
@_cdecl("overmorrow_print_pending")
package func printPendingPromises() {
  System.printToStandardError("Overmorrow: \(PromiseDiagnostics.pending())")
}
