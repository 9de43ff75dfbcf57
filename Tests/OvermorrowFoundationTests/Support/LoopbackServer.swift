// The server that answers these tests.
@_exported import LoopbackServer
