// The functions are implemented in Swift, in Sources/OvermorrowC. This file checks that the header compiles as C.
#include "overmorrow.h"
