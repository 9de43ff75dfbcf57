internal import OvermorrowEngine

/// Prints the pending promises to standard error. The name of this function in C is `overmorrow_print_pending`.
///
/// A debugger can call a C function of a stopped program, in any language and without imports. The debugger must let
/// the other threads continue during the call, because a stopped thread may hold a lock of the list. By default,
/// debuggers let them continue.
@_cdecl("overmorrow_print_pending")
package func printPendingPromises() {
  PendingOnRequest.printPending()
}
