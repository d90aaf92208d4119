#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/log.h>
#include <libswresample/swresample.h>

/// The functions of libav that are used, listed once. Those of libavcodec, libavutil and
/// libswresample are found through libavformat, which depends on them.
#define CLIBAV_FUNCTIONS(USE)                                                                      \
  USE(avformat_open_input)                                                                         \
  USE(avformat_find_stream_info)                                                                   \
  USE(avformat_close_input)                                                                        \
  USE(av_find_best_stream)                                                                         \
  USE(av_read_frame)                                                                               \
  USE(av_stream_get_side_data)                                                                     \
  USE(av_packet_alloc)                                                                             \
  USE(av_packet_unref)                                                                             \
  USE(av_packet_free)                                                                              \
  USE(av_packet_get_side_data)                                                                     \
  USE(avcodec_find_decoder)                                                                        \
  USE(avcodec_get_name)                                                                            \
  USE(avcodec_alloc_context3)                                                                      \
  USE(avcodec_parameters_to_context)                                                               \
  USE(avcodec_open2)                                                                               \
  USE(avcodec_send_packet)                                                                         \
  USE(avcodec_receive_frame)                                                                       \
  USE(avcodec_free_context)                                                                        \
  USE(av_frame_alloc)                                                                              \
  USE(av_frame_free)                                                                               \
  USE(av_channel_layout_default)                                                                   \
  USE(av_channel_layout_copy)                                                                      \
  USE(av_channel_layout_compare)                                                                   \
  USE(av_channel_layout_uninit)                                                                    \
  USE(av_dict_set)                                                                                 \
  USE(av_dict_get)                                                                                 \
  USE(av_dict_free)                                                                                \
  USE(av_strerror)                                                                                 \
  USE(av_log_set_level)                                                                            \
  USE(swr_alloc_set_opts2)                                                                         \
  USE(swr_init)                                                                                    \
  USE(swr_get_out_samples)                                                                         \
  USE(swr_convert)                                                                                 \
  USE(swr_free)

typedef struct {
#define CLIBAV_FIELD(name) __typeof__(name) *name;
  CLIBAV_FUNCTIONS(CLIBAV_FIELD)
#undef CLIBAV_FIELD
} LibAVFunctions;

/// Fills `functions` from the libavformat of the version these headers are of; NULL on success, else
/// what is missing.
const char *clibav_load(LibAVFunctions *functions);

// libav's error codes and "no timestamp" are macros of expressions, which Swift does not import.

static inline int clibav_end_of_file(void) { return AVERROR_EOF; }
static inline int clibav_try_again(void) { return AVERROR(EAGAIN); }
static inline int clibav_not_implemented(void) { return AVERROR(ENOSYS); }
static inline int clibav_not_built_in(void) { return AVERROR_PATCHWELCOME; }
static inline int64_t clibav_no_timestamp(void) { return AV_NOPTS_VALUE; }
