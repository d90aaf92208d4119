#include "COnDemand.h"

#include <dlfcn.h>
#include <stdio.h>

const char *on_demand_load(const char *library, const char *const *names, void **slots,
                           size_t count) {
  static _Thread_local char message[512];
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(message, sizeof message, "%s", dlerror());
    return message;
  }
  for (size_t i = 0; i < count; i++) {
    slots[i] = dlsym(handle, names[i]);
    if (!slots[i]) {
      snprintf(message, sizeof message, "%s lacks the function %s", library, names[i]);
      return message;
    }
  }
  return NULL;
}
