#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/// The functions of libcurl that are used, listed once: the table, its loader and the names come
/// from this list.
#define CCURL_FUNCTIONS(USE)                                                                       \
  USE(curl_global_init)                                                                            \
  USE(curl_version_info)                                                                           \
  USE(curl_easy_init)                                                                              \
  USE(curl_easy_setopt)                                                                            \
  USE(curl_easy_getinfo)                                                                           \
  USE(curl_easy_reset)                                                                             \
  USE(curl_easy_cleanup)                                                                           \
  USE(curl_easy_strerror)                                                                          \
  USE(curl_multi_init)                                                                             \
  USE(curl_multi_setopt)                                                                           \
  USE(curl_multi_add_handle)                                                                       \
  USE(curl_multi_remove_handle)                                                                    \
  USE(curl_multi_perform)                                                                          \
  USE(curl_multi_poll)                                                                             \
  USE(curl_multi_wakeup)                                                                           \
  USE(curl_multi_info_read)                                                                        \
  USE(curl_multi_cleanup)                                                                          \
  USE(curl_slist_append)                                                                           \
  USE(curl_slist_free_all)

/// Never changed once loaded: any thread may use it.
typedef struct {
#define CCURL_FIELD(name) __typeof__(name) *name;
  CCURL_FUNCTIONS(CCURL_FIELD)
#undef CCURL_FIELD
} __attribute__((swift_attr("@Sendable"))) CurlFunctions;

/// Fills `functions` from libcurl.so.4; NULL on success, else what is missing.
const char *ccurl_load(CurlFunctions *functions);

// libcurl's setters and getters are variadic, which Swift does not import: one function for each
// type of value.

static inline CURLcode ccurl_set_long(CurlFunctions curl, CURL *easy, CURLoption option,
                                      long value) {
  return curl.curl_easy_setopt(easy, option, value);
}

/// libcurl copies the string.
static inline CURLcode ccurl_set_string(CurlFunctions curl, CURL *easy, CURLoption option,
                                        const char *value) {
  return curl.curl_easy_setopt(easy, option, value);
}

/// libcurl keeps the pointer: what it points to must outlive the transfer.
static inline CURLcode ccurl_set_pointer(CurlFunctions curl, CURL *easy, CURLoption option,
                                         void *value) {
  return curl.curl_easy_setopt(easy, option, value);
}

/// The type of CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
typedef size_t (*ccurl_write_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_write_callback(CurlFunctions curl, CURL *easy,
                                                CURLoption option, ccurl_write_callback value) {
  return curl.curl_easy_setopt(easy, option, value);
}

static inline CURLMcode ccurl_multi_set_long(CurlFunctions curl, CURLM *multi,
                                             CURLMoption option, long value) {
  return curl.curl_multi_setopt(multi, option, value);
}

static inline CURLcode ccurl_get_long(CurlFunctions curl, CURL *easy, CURLINFO info,
                                      long *value) {
  return curl.curl_easy_getinfo(easy, info, value);
}

/// The string belongs to the handle and lives until its next transfer.
static inline CURLcode ccurl_get_string(CurlFunctions curl, CURL *easy, CURLINFO info,
                                        const char **value) {
  return curl.curl_easy_getinfo(easy, info, value);
}

/// The result of the transfer a CURLMSG_DONE speaks of: a member of a union, which Swift would read
/// as another type.
static inline CURLcode ccurl_message_result(const CURLMsg *message) {
  return message->data.result;
}

/// CURL_GLOBAL_ALL is an expression that Swift does not import.
static inline CURLcode ccurl_global_init(CurlFunctions curl) {
  return curl.curl_global_init(CURL_GLOBAL_ALL);
}

/// libcurl's version as 0xXXYYZZ; CURLVERSION_NOW is a macro that Swift does not import.
static inline unsigned int ccurl_version_number(CurlFunctions curl) {
  return curl.curl_version_info(CURLVERSION_NOW)->version_num;
}
