// The support that all tests share.
@_exported import TestSupport
