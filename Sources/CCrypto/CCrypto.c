#include "CCrypto.h"

#include "COnDemand.h"

#define NAME(name) #name,

const char *ccrypto_load(CryptoFunctions *functions) {
  static const char *const names[] = {CCRYPTO_FUNCTIONS(NAME)};
  return on_demand_load("libcrypto.so.3", names, (void **)functions, sizeof names / sizeof *names);
}
