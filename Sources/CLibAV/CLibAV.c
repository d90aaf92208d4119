#include "CLibAV.h"

#include "COnDemand.h"

#define NAME(name) #name,
#define TEXT(number) #number
#define SONAME(name, version) name ".so." TEXT(version)

const char *clibav_load(LibAVFunctions *functions) {
  static const char *const names[] = {CLIBAV_FUNCTIONS(NAME)};
  return on_demand_load(SONAME("libavformat", LIBAVFORMAT_VERSION_MAJOR), names,
                        (void **)functions, sizeof names / sizeof *names);
}
