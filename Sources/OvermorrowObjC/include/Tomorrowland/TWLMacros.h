// Macros and constants that the headers use and some versions of Foundation lack.

#import <Foundation/Foundation.h>
#import <dispatch/dispatch.h>

#ifndef NS_SWIFT_NAME
#define NS_SWIFT_NAME(name)
#endif
#ifndef NS_SWIFT_UNAVAILABLE
#define NS_SWIFT_UNAVAILABLE(message)
#endif
#ifndef NS_REFINED_FOR_SWIFT
#define NS_REFINED_FOR_SWIFT
#endif
#ifndef NS_DESIGNATED_INITIALIZER
#define NS_DESIGNATED_INITIALIZER
#endif
#ifndef NS_ASSUME_NONNULL_BEGIN
#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#endif

// The promise that an observer returns may be ignored. The promise that a transform returns must be used, because a
// transform is called for its promise.
#define TWL_WARN_UNUSED_RESULT __attribute__((warn_unused_result))

// An initialiser that this class does not support. `NS_UNAVAILABLE` is empty in some versions of Foundation.
#define TWL_UNAVAILABLE __attribute__((unavailable))

// The quality-of-service classes, for versions of Dispatch without their names.
#if !__has_include(<sys/qos.h>)
enum {
  QOS_CLASS_USER_INTERACTIVE = 0x21,
  QOS_CLASS_USER_INITIATED = 0x19,
  QOS_CLASS_DEFAULT = 0x15,
  QOS_CLASS_UTILITY = 0x11,
  QOS_CLASS_BACKGROUND = 0x09,
  QOS_CLASS_UNSPECIFIED = 0x00
};
#endif
