// The types that the whole interface uses.
#ifndef OVERMORROW_BASE_H
#define OVERMORROW_BASE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
#define OVM_BEGIN extern "C" {
#define OVM_END }
#else
#define OVM_BEGIN
#define OVM_END
#endif

// An unmarked pointer must not be NULL. Clang checks the annotations, and other compilers ignore the annotations.
#ifdef __clang__
#define OVM_NULLABLE _Nullable
#define OVM_NONNULL _Nonnull
#define OVM_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define OVM_NONNULL_END _Pragma("clang assume_nonnull end")
#else
#define OVM_NULLABLE
#define OVM_NONNULL
#define OVM_NONNULL_BEGIN
#define OVM_NONNULL_END
#endif

OVM_BEGIN
OVM_NONNULL_BEGIN

/// A promise. Two handles with equal addresses refer to the same promise.
typedef struct ovm_promise ovm_promise;
/// The resolver of a promise.
typedef struct ovm_resolver ovm_resolver;
/// A context, which says where callbacks run.
typedef struct ovm_context ovm_context;
/// A token, which suppresses callbacks and requests the cancellation of promises.
typedef struct ovm_token ovm_token;
/// A weak reference to a promise, for requests to cancel.
typedef struct ovm_canceller ovm_canceller;
/// A promise whose work starts when `ovm_delayed_promise` is first called.
typedef struct ovm_delayed ovm_delayed;

/// Releases a pointer that was given to the library (C3, C4).
typedef void (*ovm_release)(void *OVM_NULLABLE pointer);

/// A value or an error, as an object of the caller. Either field may be NULL.
typedef struct {
  void *OVM_NULLABLE pointer;
  ovm_release OVM_NULLABLE release;
} ovm_object;

/// The state of a promise.
typedef enum {
  /// The promise is unresolved.
  OVM_PENDING = 0,
  /// The promise was fulfilled with a value.
  OVM_FULFILLED = 1,
  /// The promise was rejected with an error.
  OVM_REJECTED = 2,
  /// The promise was cancelled.
  OVM_CANCELLED = 3
} ovm_outcome;

/// Receives a result.
///
/// - context: The context that was registered with the callback.
/// - outcome: The outcome of the promise.
/// - object: The value or the error, borrowed (C5); NULL if the promise was cancelled.
typedef void (*ovm_observer)(void *OVM_NULLABLE context, ovm_outcome outcome, void *OVM_NULLABLE object);

OVM_NONNULL_END
OVM_END

#endif
