#pragma once
#include <stddef.h>

/// Loads a shared library and looks up its functions.
///
/// @param library  the file name dlopen(3) searches for, such as "libpulse.so.0"
/// @param names    the functions' names, `count` of them
/// @param slots    receives the functions' addresses, in the order of `names`
/// @return NULL on success, else a sentence of the dynamic linker that says what is missing
///
/// Symbols of libraries that `library` itself depends on are found through it. The library stays
/// loaded to the end of the process. Not thread-safe for one `slots`: callers load once.
const char *on_demand_load(const char *library, const char *const *names, void **slots,
                           size_t count);
