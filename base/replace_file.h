// Writes a file that is there whole or not at all.
//
//   SIGHTLINE_RETURN_IF_ERROR(ReplaceFile(files, path, path + ".tmp", [&](WritableFile& out) {
//     return out.WriteAt(0, text);
//   }));
#pragma once

#include <functional>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline {

// Writes the file `temporary` by `write`, closes it, and gives it the name `path`, in one step:
// what is at `path` is replaced. On an error of any of these, which is returned, `temporary` is
// removed, and what is at `path` stays.
//
// `temporary` must be in the folder of `path`, under a name that readers of the folder pass by.
// What a killed process left there is overwritten; a program that is to leave nothing on a signal
// must remove it itself. Nothing is synced.
//
// Any thread, as long as no two write one path.
Status ReplaceFile(FileSystem& files, const std::string& path, const std::string& temporary,
                   const std::function<Status(WritableFile&)>& write);

}  // namespace sightline
