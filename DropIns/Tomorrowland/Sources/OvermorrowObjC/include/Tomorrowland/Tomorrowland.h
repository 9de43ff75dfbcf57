// Promises for Objective-C with the interface of Tomorrowland: `#import <Tomorrowland/Tomorrowland.h>`.
//
// A promise is the future result of work. A promise ends once, with a value, with an error, or with a cancellation.
// Promises, resolvers, contexts and tokens may be used on any thread. A handler must not throw an exception.

#import <Tomorrowland/TWLMacros.h>

#import <Tomorrowland/TWLContext.h>
#import <Tomorrowland/TWLInvalidationToken.h>
#import <Tomorrowland/TWLPromise.h>
#import <Tomorrowland/TWLResolver.h>

#import <Tomorrowland/TWLAsyncOperation.h>
#import <Tomorrowland/TWLDelayedPromise.h>
#import <Tomorrowland/TWLPromise+Convenience.h>
#import <Tomorrowland/TWLPromise+Handle.h>
#import <Tomorrowland/TWLPromiseOperation.h>
#import <Tomorrowland/TWLTimeoutError.h>
#import <Tomorrowland/TWLUtilities.h>
#import <Tomorrowland/TWLWhen.h>
