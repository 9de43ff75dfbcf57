// Where callbacks run.
#ifndef OVERMORROW_CONTEXTS_H
#define OVERMORROW_CONTEXTS_H

#include "base.h"

OVM_BEGIN
OVM_NONNULL_BEGIN

/// The contexts that are there without a queue of the caller's.
typedef enum {
  /// The main queue. Callbacks that follow one another run in one pass of it.
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
  /// Right there: in the call that resolves the promise, or in the one that registers the callback.
  OVM_IMMEDIATE,
  /// `OVM_MAIN` where `ovm_context_create` is called on the main queue, otherwise `OVM_DEFAULT`.
  OVM_AUTO
} ovm_place;

/// A context of the library's.
///
/// - place: Which one. A number that is none of the enumeration counts as `OVM_DEFAULT`.
ovm_context *ovm_context_create(ovm_place place);

/// A context that runs a callback in the registering call if the promise is resolved already, and elsewhere otherwise.
///
/// In `ovm_promise_create_on` the body runs before the call returns.
///
/// - context: Where callbacks of promises that are unresolved run.
ovm_context *ovm_context_create_now_or(ovm_context *context);

/// Work that an executor was given: it calls one of `ovm_work_run` and `ovm_work_drop`, once, from any thread.
typedef struct ovm_work ovm_work;

/// Runs the work; it is spent afterwards.
void ovm_work_run(ovm_work *work);
/// Gives the work up without running it, which cancels what was to come of it.
void ovm_work_drop(ovm_work *work);

/// Something of the caller's that runs work, such as a queue or an event loop. Its functions are called from any thread.
typedef struct {
  /// Given to the functions.
  void *OVM_NULLABLE context;
  /// Releases `context` when no promise uses the executor any more; may be NULL.
  ovm_release OVM_NULLABLE release;
  /// Runs the work later; or drops it.
  void (*enqueue)(void *OVM_NULLABLE context, ovm_work *work);
  /// Takes work before its time, for delays and timeouts; NULL for an executor that has no use for that.
  ///
  /// - returns: A reservation, for which exactly one of `begin` and `cancel` is called, once.
  void *OVM_NONNULL (*OVM_NULLABLE reserve)(void *OVM_NULLABLE context, ovm_work *work);
  /// The time of a reservation has come: its work is to run soon. Set it if `reserve` is set.
  void (*OVM_NULLABLE begin)(void *reservation);
  /// A reservation is not needed any more: its work is to be dropped, unless it has run. Set it if `reserve` is set.
  void (*OVM_NULLABLE cancel)(void *reservation);
} ovm_executor;

/// A context that hands callbacks to something of the caller's.
///
/// Each callback is handed over by one call, in the order in which the callbacks become ready.
///
/// - executor: Copied. Its `context` belongs to the library from now on (C3).
ovm_context *ovm_context_create_executor(const ovm_executor *executor);

/// One more reference to a context, which is returned.
ovm_context *ovm_context_retain(ovm_context *context);
/// One reference less.
void ovm_context_release(ovm_context *context);

/// Whether the code that asks is inside a callback of a `now or` context that runs inside the registering call.
///
/// Also true inside immediate work that is nested in such a callback; false everywhere else.
bool ovm_is_executing_now(void);

OVM_NONNULL_END
OVM_END

#endif
