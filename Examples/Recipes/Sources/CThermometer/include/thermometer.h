#ifndef THERMOMETER_H
#define THERMOMETER_H

/// Receives the outcome of a reading: zero and the degrees, or an error number. It is called once, on a thread of the
/// thermometer.
typedef void (*thermometer_callback)(void *context, int error, double degrees);

/// Starts a reading. The callback is called once, with the context.
void thermometer_read(int sensor, thermometer_callback callback, void *context);

#endif
