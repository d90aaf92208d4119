#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswresample/swresample.h>

/// The functions of libav that are used, listed once. Those of libavcodec, libavutil and
/// libswresample are found through libavformat, which depends on them.
#define CLIBAV_FUNCTIONS(USE)                                                                      \
  USE(avformat_open_input)                                                                         \
  USE(avformat_close_input)

typedef struct {
#define CLIBAV_FIELD(name) __typeof__(name) *name;
  CLIBAV_FUNCTIONS(CLIBAV_FIELD)
#undef CLIBAV_FIELD
} LibAVFunctions;

/// Fills `functions` from the libavformat of the version these headers are of; NULL on success, else
/// what is missing.
const char *clibav_load(LibAVFunctions *functions);
