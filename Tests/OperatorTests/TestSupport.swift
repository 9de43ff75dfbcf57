// The support that all tests share.
import Overmorrow
@_exported import OvermorrowTesting
@_exported import TestSupport

/// What operators and contexts work on here, unless a suite says otherwise.
typealias Subject = Promise<Int, Reason>
