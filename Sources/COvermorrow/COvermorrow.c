// The functions are written in Swift, in Sources/OvermorrowC. This file shows that the header is complete as C.
#include "overmorrow.h"
