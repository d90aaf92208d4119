#pragma once
#include <pulse/pulseaudio.h>

/// The functions of libpulse that are used, listed once.
#define CPULSE_FUNCTIONS(USE)                                                                      \
  USE(pa_threaded_mainloop_new)                                                                    \
  USE(pa_threaded_mainloop_start)                                                                  \
  USE(pa_threaded_mainloop_stop)                                                                   \
  USE(pa_threaded_mainloop_free)                                                                   \
  USE(pa_threaded_mainloop_lock)                                                                   \
  USE(pa_threaded_mainloop_unlock)                                                                 \
  USE(pa_threaded_mainloop_get_api)                                                                \
  USE(pa_proplist_new)                                                                             \
  USE(pa_proplist_sets)                                                                            \
  USE(pa_proplist_free)                                                                            \
  USE(pa_context_new_with_proplist)                                                                \
  USE(pa_context_connect)                                                                          \
  USE(pa_context_set_state_callback)                                                               \
  USE(pa_context_get_state)                                                                        \
  USE(pa_context_errno)                                                                            \
  USE(pa_context_set_subscribe_callback)                                                           \
  USE(pa_context_subscribe)                                                                        \
  USE(pa_context_get_sink_input_info)                                                              \
  USE(pa_context_get_sink_info_list)                                                               \
  USE(pa_context_set_sink_input_volume)                                                            \
  USE(pa_context_set_sink_input_mute)                                                              \
  USE(pa_context_disconnect)                                                                       \
  USE(pa_context_unref)                                                                            \
  USE(pa_cvolume_set)                                                                              \
  USE(pa_stream_new_with_proplist)                                                                 \
  USE(pa_stream_set_state_callback)                                                                \
  USE(pa_stream_set_write_callback)                                                                \
  USE(pa_stream_set_suspended_callback)                                                            \
  USE(pa_stream_connect_playback)                                                                  \
  USE(pa_stream_get_state)                                                                         \
  USE(pa_stream_get_index)                                                                         \
  USE(pa_stream_is_suspended)                                                                      \
  USE(pa_stream_writable_size)                                                                     \
  USE(pa_stream_write)                                                                             \
  USE(pa_stream_get_latency)                                                                       \
  USE(pa_stream_cork)                                                                              \
  USE(pa_stream_flush)                                                                             \
  USE(pa_stream_drain)                                                                             \
  USE(pa_stream_disconnect)                                                                        \
  USE(pa_stream_unref)                                                                             \
  USE(pa_operation_get_state)                                                                      \
  USE(pa_operation_cancel)                                                                         \
  USE(pa_operation_unref)                                                                          \
  USE(pa_strerror)

typedef struct {
#define CPULSE_FIELD(name) __typeof__(name) *name;
  CPULSE_FUNCTIONS(CPULSE_FIELD)
#undef CPULSE_FIELD
} PulseFunctions;

/// Fills `functions` from libpulse.so.0; NULL on success, else what is missing.
const char *cpulse_load(PulseFunctions *functions);
