// The threads of an explored execution: contexts between which one system thread switches.
#pragma once

typedef struct ExplorerContext ExplorerContext;

/// Creates the context of the caller.
ExplorerContext *_Nonnull explorer_context_main(void);
/// Creates a context with its own stack that calls a function when it is first switched to. The function must not
/// return.
ExplorerContext *_Nonnull explorer_context_make(void (*_Nonnull body)(void));
/// Switches from one context to another.
void explorer_context_switch(ExplorerContext *_Nonnull from, ExplorerContext *_Nonnull to);

/// Runs a function on a new thread, which is not the main thread, and waits until it has returned.
void explorer_on_thread(void (*_Nonnull body)(void));

/// `fork`, which Swift does not import.
int explorer_fork(void);
/// Makes the system raise `SIGVTALRM` when this process has used the given number of seconds of processor time.
void explorer_limit(int seconds);
/// Registers a function that is called on a separate stack when the process crashes or reaches its limit.
void explorer_on_crash(void (*_Nonnull body)(int signal));
