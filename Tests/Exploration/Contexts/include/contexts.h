// Threads of an execution that is explored: contexts that one thread of the system switches between.
#pragma once

typedef struct ExplorerContext ExplorerContext;

/// The context of the caller.
ExplorerContext *_Nonnull explorer_context_main(void);
/// A context with a stack of its own that calls a function as soon as it is switched to. The function does not return.
ExplorerContext *_Nonnull explorer_context_make(void (*_Nonnull body)(void));
/// Leaves one context and goes on in another one.
void explorer_context_switch(ExplorerContext *_Nonnull from, ExplorerContext *_Nonnull to);

/// Runs a function on a thread of its own, which is not the main one, and waits for its end.
void explorer_on_thread(void (*_Nonnull body)(void));

/// `fork`, which Swift does not import.
int explorer_fork(void);
/// Raises a signal when this process has used so many seconds of a processor.
void explorer_limit(int seconds);
/// Calls a function, on a stack of its own, when the process crashes or has reached its limit.
void explorer_on_crash(void (*_Nonnull body)(int signal));
