// Macros and constants for the headers, including those that some versions of Foundation or Dispatch lack.

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

// Marks a method, such as a transform, that is called only for the promise that the method returns. The promise that an
// observer returns may be ignored.
#define TWL_WARN_UNUSED_RESULT __attribute__((warn_unused_result))

// Marks an initialiser that a class does not support. `NS_UNAVAILABLE` is empty in some versions of Foundation.
#define TWL_UNAVAILABLE __attribute__((unavailable))

// The quality-of-service classes, for versions of Dispatch that do not declare the classes.
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
