// Re-exports the support code that all tests share.
@_exported import OvermorrowTesting
@_exported import TestSupport
