// Overmorrow's promises for C, C++ and other languages that can call C.
//
// A promise is the future result of work. It ends once, in one of three ways: it is fulfilled with an object, rejected
// with an object, or cancelled. Any number of callbacks can wait for it, each on its own context.
//
// Rules for all functions:
//
//   C1. A handle passed as an argument is borrowed: the caller owns a reference to it during the call.
//   C2. A handle that a function returns belongs to the caller, who must call its `…_release` function once. `…_retain`
//       adds a reference. Handles may be used on any thread.
//   C3. The `context` of a callback belongs to the library from the call on. Its `release` function, unless it is NULL,
//       is called once: after the callback has run, on the thread on which it ran, or when the callback can no longer
//       run.
//   C4. An `ovm_object` that is given away belongs to the library. Its `release` function, unless it is NULL, is called
//       once, on any thread, when no promise holds the object any more.
//   C5. An object that a callback receives, or that `ovm_promise_result` returns, is borrowed: it is valid until the
//       callback returns, or as long as the caller owns a reference to the promise.
//   C6. A callback runs at most once. It must not throw a C++ exception or call `longjmp` past its caller.
//
// Link with the library `OvermorrowCDynamic`, which `swift build -c release --product OvermorrowCDynamic` builds.
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
