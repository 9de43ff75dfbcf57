#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

@implementation TWLTimeoutError

+ (instancetype)newTimedOut {
  return [[self alloc] initTimedOut];
}

+ (instancetype)newWithRejectedError:(id)error {
  return [[self alloc] initWithRejectedError:error];
}

- (instancetype)init {
  return [self initTimedOut];
}

- (instancetype)initTimedOut {
  return [super init];
}

- (instancetype)initWithRejectedError:(id)error {
  self = [super init];
  if (self) _rejectedError = TWL_RETAIN(error);
  return self;
}

- (void)dealloc {
  TWL_RELEASE(_rejectedError);
  TWL_DEALLOC_SUPER();
}

- (BOOL)timedOut {
  return _rejectedError == nil;
}

- (id)rejectedError {
  return _rejectedError;
}

- (BOOL)isEqual:(id)object {
  if (![object isKindOfClass:[TWLTimeoutError class]]) return NO;
  id other = ((TWLTimeoutError *)object).rejectedError;
  return _rejectedError == other || [_rejectedError isEqual:other];
}

- (NSUInteger)hash {
  return [_rejectedError hash];
}

- (NSString *)description {
  return _rejectedError ? [_rejectedError description] : @"the promise timed out";
}

@end

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
