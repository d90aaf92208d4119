#include "CCurl.h"

#include "COnDemand.h"

#define NAME(name) #name,

const char *ccurl_load(CurlFunctions *functions) {
  static const char *const names[] = {CCURL_FUNCTIONS(NAME)};
  return on_demand_load("libcurl.so.4", names, (void **)functions, sizeof names / sizeof *names);
}
