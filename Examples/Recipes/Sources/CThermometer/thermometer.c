#include "thermometer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct reading {
  int sensor;
  thermometer_callback callback;
  void *context;
};

static void *measure(void *argument) {
  struct reading reading = *(struct reading *)argument;
  free(argument);
  if (reading.sensor < 0)
    reading.callback(reading.context, ENODEV, 0);
  else
    reading.callback(reading.context, 0, 20 + reading.sensor);
  return NULL;
}

void thermometer_read(int sensor, thermometer_callback callback, void *context) {
  struct reading *reading = malloc(sizeof *reading);
  pthread_t thread;
  if (reading == NULL) return callback(context, ENOMEM, 0);
  *reading = (struct reading){sensor, callback, context};
  int error = pthread_create(&thread, NULL, measure, reading);
  if (error == 0) {
    pthread_detach(thread);
  } else {
    free(reading);
    callback(context, error, 0);
  }
}
