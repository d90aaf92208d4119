#define _GNU_SOURCE
#include "CLinux.h"

#include <stdio.h>

int clinux_rename_without_replacing(int from_directory, const char *from, int to_directory,
                                    const char *to) {
  return renameat2(from_directory, from, to_directory, to, RENAME_NOREPLACE);
}
