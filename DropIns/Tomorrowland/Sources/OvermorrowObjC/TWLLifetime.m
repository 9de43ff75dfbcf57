#if __has_include(<Foundation/Foundation.h>)

#import "TWLPrivate.h"

#import <objc/runtime.h>

// Associated objects exist on Apple's platforms and on runtimes that support automatic reference counting.
#if __has_feature(objc_arc) || defined(__APPLE__)

TWLInvalidationToken *TWLLifetimeToken(id object) {
  static char key;
  @synchronized([TWLInvalidationToken class]) {
    TWLInvalidationToken *token = objc_getAssociatedObject(object, &key);
    if (token) return token;
    token = TWL_AUTORELEASE([[TWLInvalidationToken alloc] initInvalidateOnDealloc:YES]);
    objc_setAssociatedObject(object, &key, token, OBJC_ASSOCIATION_RETAIN);
    return token;
  }
}

#else

// On a runtime without associated objects, the class of the object is replaced by a subclass of that class. The
// `-dealloc` of the subclass removes the object's token from a table and releases the token.

#define TWL_MORTAL_PREFIX "TWLMortal_"

static NSMapTable *TWLTokens(void) {
  static NSMapTable *tokens;
  @synchronized([TWLInvalidationToken class]) {
    if (!tokens) tokens = NSCreateMapTable(NSNonOwnedPointerMapKeyCallBacks, NSObjectMapValueCallBacks, 0);
    return tokens;
  }
}

static BOOL TWLIsMortalClass(Class class) {
  return strncmp(class_getName(class), TWL_MORTAL_PREFIX, strlen(TWL_MORTAL_PREFIX)) == 0;
}

/// Returns the subclass that `TWLLifetimeToken` has set for the object; `Nil` if there is none. Other code may later
/// have set a subclass of that subclass. Therefore the superclasses of the object's class are searched, too.
static Class TWLMortalClassOf(id object) {
  Class class = object_getClass(object);
  while (class && !TWLIsMortalClass(class)) class = class_getSuperclass(class);
  return class;
}

static void TWLMortalDealloc(id self, SEL selector) {
  TWLInvalidationToken *token;
  NSMapTable *tokens = TWLTokens();
  @synchronized([TWLInvalidationToken class]) {
    token = [(id)NSMapGet(tokens, (__bridge void *)self) retain];
    NSMapRemove(tokens, (__bridge void *)self);
  }
  IMP dealloc = class_getMethodImplementation(class_getSuperclass(TWLMortalClassOf(self)), selector);
  ((void (*)(id, SEL))(void *)dealloc)(self, selector);
  [token release];
}

/// Implements `-class` of the subclass. Returns the class that the object had before `TWLLifetimeToken` set the
/// subclass.
static Class TWLMortalClass(id self, SEL selector) {
  (void)selector;
  return class_getSuperclass(TWLMortalClassOf(self));
}

static Class TWLMakeMortalClass(Class class) {
  char name[256];
  snprintf(name, sizeof name, TWL_MORTAL_PREFIX "%s", class_getName(class));
  (void)[class class];
  Class made = objc_allocateClassPair(class, name, 0);
  if (!made) return objc_getClass(name);
  class_addMethod(made, @selector(dealloc), (IMP)(void *)TWLMortalDealloc, "v@:");
  class_addMethod(made, @selector(class), (IMP)(void *)TWLMortalClass, "#@:");
  objc_registerClassPair(made);
  return made;
}

TWLInvalidationToken *TWLLifetimeToken(id object) {
  // A literal string is never deallocated. The runtime identifies literal strings by their class, so the class of
  // a literal string must not be replaced.
  if (!object || [object isKindOfClass:[NSConstantString class]]) return nil;
  NSMapTable *tokens = TWLTokens();
  @synchronized([TWLInvalidationToken class]) {
    TWLInvalidationToken *token = (id)NSMapGet(tokens, (__bridge void *)object);
    if (token) return [[token retain] autorelease];
    token = [[[TWLInvalidationToken alloc] initInvalidateOnDealloc:YES] autorelease];
    NSMapInsert(tokens, (__bridge void *)object, (__bridge void *)token);
    if (!TWLMortalClassOf(object)) object_setClass(object, TWLMakeMortalClass(object_getClass(object)));
    return token;
  }
}

#endif

#else
typedef int TWLNothingToCompileWithoutFoundation;
#endif
