#pragma once
#include <pulse/pulseaudio.h>

/// The functions of libpulse that are used, listed once.
#define CPULSE_FUNCTIONS(USE)                                                                      \
  USE(pa_threaded_mainloop_new)                                                                    \
  USE(pa_threaded_mainloop_free)

typedef struct {
#define CPULSE_FIELD(name) __typeof__(name) *name;
  CPULSE_FUNCTIONS(CPULSE_FIELD)
#undef CPULSE_FIELD
} PulseFunctions;

/// Fills `functions` from libpulse.so.0; NULL on success, else what is missing.
const char *cpulse_load(PulseFunctions *functions);
