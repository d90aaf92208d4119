#pragma once
#include <openssl/evp.h>

/// The functions of OpenSSL's libcrypto that are used, listed once.
#define CCRYPTO_FUNCTIONS(USE)                                                                     \
  USE(EVP_sha256)                                                                                  \
  USE(EVP_Digest)

/// Never changed once loaded: any thread may use it.
typedef struct {
#define CCRYPTO_FIELD(name) __typeof__(name) *name;
  CCRYPTO_FUNCTIONS(CCRYPTO_FIELD)
#undef CCRYPTO_FIELD
} __attribute__((swift_attr("@Sendable"))) CryptoFunctions;

/// Fills `functions` from libcrypto.so.3; NULL on success, else what is missing.
const char *ccrypto_load(CryptoFunctions *functions);
