// Re-exports the support code that all tests share.
import Overmorrow
@_exported import OvermorrowTesting
@_exported import TestSupport

/// The default type of promises for operators and contexts in these tests.
typealias Subject = Promise<Int, Reason>
