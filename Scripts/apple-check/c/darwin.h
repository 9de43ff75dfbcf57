// A stub of the declarations of Darwin that the core uses.
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#pragma clang assume_nonnull begin
typedef unsigned long pthread_key_t;
struct _opaque_pthread_t { long sig; };
#pragma clang assume_nonnull end
typedef struct _opaque_pthread_t *pthread_t;
#pragma clang assume_nonnull begin
typedef struct { long sig; } pthread_attr_t;
typedef long ssize_t;
int pthread_key_create(pthread_key_t *, void (* _Nullable)(void *));
int pthread_key_delete(pthread_key_t);
void * _Nullable pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void * _Nullable);
int pthread_create(pthread_t _Nullable * _Nonnull, const pthread_attr_t * _Nullable, void * _Nullable (* _Nonnull)(void *), void * _Nullable);
int pthread_detach(pthread_t _Nonnull);
pthread_t _Nonnull pthread_self(void);
int pthread_equal(pthread_t, pthread_t);
int pthread_main_np(void);
#define _SC_NPROCESSORS_ONLN 58
long sysconf(int name);
int sched_yield(void);
int getpid(void);
int atexit(void (*)(void));
char * _Nullable getenv(const char *);
void * _Nullable malloc(size_t);
void free(void * _Nullable);
size_t malloc_size(const void *);
size_t malloc_good_size(size_t);
ssize_t write(int, const void * _Nullable, size_t);
int rename(const char *, const char *);
int strncmp(const char *, const char *, size_t);
#define STDERR_FILENO 2
#define SIGQUIT 3
typedef void (*_Nullable sig_t)(int);
// A macro in Apple's header, which the overlay imports as a variable.
extern const sig_t SIG_IGN;
sig_t signal(int, sig_t);
#pragma clang assume_nonnull end
