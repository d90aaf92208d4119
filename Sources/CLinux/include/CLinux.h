#pragma once

/// renameat2(2) with RENAME_NOREPLACE, which the C library shows to GNU sources only.
///
/// @return 0, or -1 with errno set: EEXIST where `to` is taken, EINVAL where the file system cannot
///         rename without replacing
int clinux_rename_without_replacing(int from_directory, const char *from, int to_directory,
                                    const char *to);
