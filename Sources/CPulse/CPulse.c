#include "CPulse.h"

#include "COnDemand.h"

#define NAME(name) #name,

const char *cpulse_load(PulseFunctions *functions) {
  static const char *const names[] = {CPULSE_FUNCTIONS(NAME)};
  return on_demand_load("libpulse.so.0", names, (void **)functions, sizeof names / sizeof *names);
}
