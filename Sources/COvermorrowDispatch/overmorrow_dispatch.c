// The functions are inline, in the header: only Swift knows where the header of Dispatch is.
