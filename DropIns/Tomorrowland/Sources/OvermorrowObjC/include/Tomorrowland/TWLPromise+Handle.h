// Conversion of promises between Objective-C and the C interface.

#import <Tomorrowland/TWLPromise.h>

NS_ASSUME_NONNULL_BEGIN

@interface TWLPromise<__covariant ValueType, __covariant ErrorType> (Handle)

/// The promise's handle in the C interface, an `ovm_promise *`. The handle is valid as long as this object exists.
@property (readonly) struct ovm_promise *handle;

@end

NS_ASSUME_NONNULL_END
