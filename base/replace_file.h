// Writes a file that is either complete or missing.
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

// Calls `write` for the file `temporary`, closes it, and renames it to `path`, replacing any
// file there. If any of this fails, `temporary` is removed, `path` is unchanged, and the error is
// returned.
//
// `temporary` must be in the folder of `path`, under a name that readers of the folder ignore. A
// file that a killed process left there is removed, and so is a link, which somebody else may have
// put there: what it leads to is not written. A program that must leave nothing after a signal
// removes it itself. Nothing is synced.
//
// Any thread, as long as no two write the same path.
Status ReplaceFile(FileSystem& files, const std::string& path, const std::string& temporary,
                   const std::function<Status(WritableFile&)>& write);

}  // namespace sightline
