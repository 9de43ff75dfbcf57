// Contexts, which say where callbacks run.
#ifndef OVERMORROW_CONTEXTS_H
#define OVERMORROW_CONTEXTS_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// The contexts that need no queue of the caller.
typedef enum {
  /// The main queue. Consecutive callbacks run in one pass of the queue.
  OVM_MAIN,
  /// The global queue with the quality of service `background`.
  OVM_BACKGROUND,
  /// The global queue with the quality of service `utility`.
  OVM_UTILITY,
  /// The global queue with the quality of service `default`.
  OVM_DEFAULT,
  /// The global queue with the quality of service `userInitiated`.
  OVM_USER_INITIATED,
  /// The global queue with the quality of service `userInteractive`.
  OVM_USER_INTERACTIVE,
  /// No queue: a callback runs inside the call that resolves the promise, or inside the call that registers it.
  OVM_IMMEDIATE,
  /// `OVM_MAIN` if `ovm_context_create` is called on the main queue, otherwise `OVM_DEFAULT`.
  OVM_AUTO
} ovm_place;

/// Returns one of the library's contexts.
///
/// - place: The context. A number outside the enumeration counts as `OVM_DEFAULT`.
ovm_context *ovm_context_create(ovm_place place);

/// Returns a context that runs a callback inside the registering call if the promise is already resolved, and on
/// another context otherwise.
///
/// In `ovm_promise_create_on` the body runs before the call returns.
///
/// - context: The context for callbacks of promises that are unresolved.
ovm_context *ovm_context_create_now_or(ovm_context *context);

/// Work that has been given to an executor. The executor must call either `ovm_work_run` or `ovm_work_drop`, once, on
/// any thread.
typedef struct ovm_work ovm_work;

/// Runs the work. The handle is invalid afterwards.
void ovm_work_run(ovm_work *work);
/// Drops the work without running it, which cancels the promise that waits for it. The handle is invalid afterwards.
void ovm_work_drop(ovm_work *work);

/// An executor of the caller, such as a queue or an event loop. Its functions are called on any thread.
typedef struct {
  /// The first argument of the functions.
  void *OVM_NULLABLE context;
  /// Releases `context` when no promise uses the executor any more; may be NULL.
  ovm_release OVM_NULLABLE release;
  /// Runs the work later, or drops it.
  void (*enqueue)(void *OVM_NULLABLE context, ovm_work *work);
  /// Receives work in advance, for delays and timeouts; NULL if the executor does not support that.
  ///
  /// - returns: A reservation, for which either `begin` or `cancel` is called, once.
  void *OVM_NONNULL (*OVM_NULLABLE reserve)(void *OVM_NULLABLE context, ovm_work *work);
  /// Called when a reservation is due: its work should run soon. Required if `reserve` is set.
  void (*OVM_NULLABLE begin)(void *reservation);
  /// Called when a reservation is no longer needed: its work should be dropped, unless it has run. Required if
  /// `reserve` is set.
  void (*OVM_NULLABLE cancel)(void *reservation);
} ovm_executor;

/// Returns a context that submits callbacks to an executor of the caller.
///
/// Each callback is submitted by its own call, in the order in which the callbacks become ready.
///
/// - executor: The executor, which is copied. Its `context` belongs to the library from this call on (C3).
ovm_context *ovm_context_create_executor(const ovm_executor *executor);

/// Adds a reference to a context and returns the context.
ovm_context *ovm_context_retain(ovm_context *context);
/// Removes a reference to a context.
void ovm_context_release(ovm_context *context);

/// Returns whether the calling code is inside a callback that a `now or` context runs inside the registering call.
///
/// Also true inside immediate work that is nested in such a callback. False everywhere else.
bool ovm_is_executing_now(void);

OVM_NONNULL_END
OVM_END

#endif
