// Overmorrow's promises for C, C++ and other languages that can call C.
//
// A promise is the future result of work. A promise is resolved once, in one of three ways: it is fulfilled with an
// object, rejected with an object, or cancelled. Any number of callbacks can wait for a promise. Each callback runs on
// its own context.
//
// Rules for all functions:
//
//   C1. A handle that is passed as an argument is borrowed. The caller must own a reference to the handle's object
//       during the call.
//   C2. A handle that a function returns belongs to the caller. The caller must call the `…_release` function for the
//       handle once. A `…_retain` function adds a reference. Handles may be used on any thread.
//   C3. The `context` of a callback belongs to the library as soon as the callback is registered. If the `release`
//       function of the context is not NULL, the library calls the function once. After the callback has run, the
//       library calls the function on the same thread. If the callback can no longer run, the library calls the
//       function on any thread.
//   C4. An `ovm_object` that is given away belongs to the library. If the `release` function of the object is not NULL,
//       the library calls the function once, on any thread, when no promise holds the object any more.
//   C5. An object that a callback receives is borrowed until the callback returns. An object that `ovm_promise_result`
//       returns is borrowed as long as the caller owns a reference to the promise.
//   C6. A callback runs at most once. A callback must not throw a C++ exception, and must not call `longjmp` past its
//       caller.
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
