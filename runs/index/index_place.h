// Where the index's file may be opened. A file that somebody else could have put there is not
// opened: it may be a link to another file of the user's, which SQLite would then write into.
// Private to this folder. May be called from any thread.
#pragma once

#include <string>

#include "sightline/base/status.h"

namespace sightline {

// Makes the folder of `path` (mode 0700) and the file (mode 0600, empty) where they do not exist.
// Returns the file's path without symbolic links. kPermissionDenied unless the file is a regular
// file of this user with one name, in a folder of this user that nobody else can write.
//
// It opens no file that exists: closing it would release SQLite's locks on it in this process.
// Until SQLite has opened the file, let no other thread of the process call this.
Result<std::string> MakeIndexFile(const std::string& path);

}  // namespace sightline
