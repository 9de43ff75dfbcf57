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
  /// No queue. If the promise is already resolved, a callback runs inside the call that registers the callback.
  /// Otherwise the callback runs inside the call that resolves the promise.
  OVM_IMMEDIATE,
  /// If `ovm_context_create` is called on the main queue, the same as `OVM_MAIN`. Otherwise the same as `OVM_DEFAULT`.
  OVM_AUTO
} ovm_place;

/// Returns one of the library's contexts.
///
/// - place: The context. A number outside the enumeration counts as `OVM_DEFAULT`.
ovm_context *ovm_context_create(ovm_place place);

/// Returns a `now or` context.
///
/// If a promise is already resolved when a callback is registered, the `now or` context runs the callback inside the
/// registering call. Otherwise the callback runs on another context.
///
/// If a `now or` context is passed to `ovm_promise_create_on`, the body runs before that call returns.
///
/// - context: The other context, for callbacks that are registered on unresolved promises.
ovm_context *ovm_context_create_now_or(ovm_context *context);

/// Work that has been given to an executor. The executor must call either `ovm_work_run` or `ovm_work_drop`, once, on
/// any thread.
typedef struct ovm_work ovm_work;

/// Runs the work. The handle is invalid afterwards.
void ovm_work_run(ovm_work *work);
/// Drops the work without running it. The promise that waits for the work is cancelled. The handle is invalid
/// afterwards.
void ovm_work_drop(ovm_work *work);

/// An executor of the caller, such as a queue or an event loop. The functions are called on any thread.
typedef struct {
  /// The first argument of the functions.
  void *OVM_NULLABLE context;
  /// Releases `context` when no context and no promise uses the executor any more; may be NULL.
  ovm_release OVM_NULLABLE release;
  /// Runs the work later, or drops the work.
  void (*enqueue)(void *OVM_NULLABLE context, ovm_work *work);
  /// Receives work in advance, for delays and timeouts; NULL if the executor accepts no work in advance.
  ///
  /// - returns: A reservation, for which either `begin` or `cancel` is called, once.
  void *OVM_NONNULL (*OVM_NULLABLE reserve)(void *OVM_NULLABLE context, ovm_work *work);
  /// Runs the work of a reservation soon. The library calls `begin` when the reservation is due. If `reserve` is set,
  /// `begin` is required.
  void (*OVM_NULLABLE begin)(void *reservation);
  /// Drops the work of a reservation, unless the work has already run or been dropped. The library calls `cancel` when
  /// the reservation is no longer needed. If `reserve` is set, `cancel` is required.
  void (*OVM_NULLABLE cancel)(void *reservation);
} ovm_executor;

/// Returns a context that submits callbacks to an executor of the caller.
///
/// The context calls `enqueue` once for each callback, in the order in which the callbacks become ready.
///
/// - executor: The executor, which is copied. The `context` of the executor belongs to the library from this call on
///   (C3).
ovm_context *ovm_context_create_executor(const ovm_executor *executor);

/// Adds a reference to a context and returns the context.
ovm_context *ovm_context_retain(ovm_context *context);
/// Removes a reference to a context.
void ovm_context_release(ovm_context *context);

/// Returns whether the calling code is inside a callback that a `now or` context runs inside the registering call.
///
/// Also returns `true` inside work that runs on an immediate context inside such a callback. Returns `false`
/// everywhere else.
bool ovm_is_executing_now(void);

OVM_NONNULL_END
OVM_END

#endif
