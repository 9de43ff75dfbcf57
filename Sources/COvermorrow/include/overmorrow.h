// Overmorrow's promises for C, C++ and whatever can call C.
//
// A promise is the result of work that may still be going on. It ends once, in one of three ways: fulfilled with an
// object, rejected with an object, or cancelled. Any number of callbacks can wait for it, each on a context of its own.
//
// Rules that hold for every function:
//
//   C1. A handle that is an argument is borrowed: the caller owns a reference to it during the call.
//   C2. A handle that is returned belongs to the caller, who calls its `…_release` function once. `…_retain` makes
//       one more reference. Handles may be used from any thread.
//   C3. The `context` of a callback belongs to the library from the call on. Its `release` function, unless it is NULL,
//       is called once: after the callback has run, where it ran; or when the callback can no longer run.
//   C4. An `ovm_object` that is given away belongs to the library. Its `release` function, unless it is NULL, is called
//       once, on any thread, when no promise holds the object any more.
//   C5. An object that a callback receives, or that `ovm_promise_result` returns, is borrowed: it is valid during the
//       callback, or as long as the caller owns a reference to the promise.
//   C6. A callback runs at most once. It must not let a C++ exception or a `longjmp` pass.
//
// Link with the library `OvermorrowCDynamic`: `swift build -c release --product OvermorrowCDynamic` makes it.
#ifndef OVERMORROW_H
#define OVERMORROW_H

#include "overmorrow/base.h"

#include "overmorrow/combining.h"
#include "overmorrow/contexts.h"
#include "overmorrow/observing.h"
#include "overmorrow/promises.h"
#include "overmorrow/resolvers.h"
#include "overmorrow/tokens.h"
#include "overmorrow/transforming.h"

#endif
