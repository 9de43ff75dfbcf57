#if canImport(Glibc)
  import Glibc
#endif

/// Starts a thread that ends at once.
///
/// In a program that has never had a second thread, glibc's mutexes and allocator omit their locked instructions.
/// Programs that use promises have had one.
func makeSecondThread() {
  #if canImport(Glibc)
    var thread = pthread_t()
    guard pthread_create(&thread, nil, { _ in nil }, nil) == 0 else { return }
    pthread_join(thread, nil)
  #endif
}
