// The types that all of the interface uses.
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

// Clang checks which pointers may be NULL; other compilers ignore it. Unmarked pointers must not be NULL.
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

/// A promise. Equal addresses are the same promise.
typedef struct ovm_promise ovm_promise;
/// What resolves a promise.
typedef struct ovm_resolver ovm_resolver;
/// Where callbacks run.
typedef struct ovm_context ovm_context;
/// What suppresses callbacks and cancels promises.
typedef struct ovm_token ovm_token;
/// A way to ask a promise to cancel that keeps nothing alive.
typedef struct ovm_canceller ovm_canceller;
/// A promise whose work starts when it is first asked for.
typedef struct ovm_delayed ovm_delayed;

/// Releases something that was given to the library (C3, C4).
typedef void (*ovm_release)(void *OVM_NULLABLE pointer);

/// An object of the caller's: a value, or an error. Both fields may be NULL.
typedef struct {
  void *OVM_NULLABLE pointer;
  ovm_release OVM_NULLABLE release;
} ovm_object;

/// How a promise stands.
typedef enum {
  /// It is unresolved.
  OVM_PENDING = 0,
  /// It has a value.
  OVM_FULFILLED = 1,
  /// It has an error.
  OVM_REJECTED = 2,
  /// It has neither.
  OVM_CANCELLED = 3
} ovm_outcome;

/// Receives a result.
///
/// - context: What was registered with the callback.
/// - outcome: How the promise ended.
/// - object: The value or the error, borrowed (C5); NULL if the promise was cancelled.
typedef void (*ovm_observer)(void *OVM_NULLABLE context, ovm_outcome outcome, void *OVM_NULLABLE object);

OVM_NONNULL_END
OVM_END

#endif
