// Access to folders by descriptors, which no link can lead elsewhere: whoever may write into a
// folder of runs can replace a folder by a link at any moment.
//
// Plain functions, callable from any thread. Those that return a descriptor return -1, with errno
// set, where they fail; the caller closes it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

// Opens the folder at a real path: an absolute one without links. Fails as OpenBelow does.
int OpenFolder(const std::string& path);

// Opens the folder `path` below `base`; "" is the base itself. Fails with ELOOP or ENOTDIR at a
// link, and with EINVAL at "..", "." or an absolute path.
enum class Missing : bool { kFails, kIsMade };
int OpenBelow(int base, std::string_view path, Missing missing = Missing::kFails);

// Whether there is an entry of this name, also a link that leads nowhere.
bool HasEntry(int folder, const std::string& name);

// Gives the entry `from` of one folder the name `to` in another one; kAlreadyExists, with nothing
// changed, if there is one. `what` is for messages.
Status RenameEntry(int from_folder, const std::string& from, int to_folder, const std::string& to,
                   const std::string& what);

// Calls `show` for each entry of the folder, except "." and "..", in the order of their names.
Status EachEntry(int folder, const std::function<Status(const std::string& name)>& show);

// Folders in folders beyond this are an error.
inline constexpr int kDeepestFolder = 200;

// Removes the folder `path` below `base` if neither it nor any folder in it holds anything but
// folders. kFailedPrecondition, with nothing but empty folders removed, if one does. OK if there is
// none.
Status RemoveEmptyFolders(int base, const std::string& name, int depth = 0);

// Writes the file whole: under another name first, which then gets its own. Survives a power loss.
Status WriteWholeFile(int folder, const std::string& name, std::string_view bytes);

// The regular file, of `most` bytes at most. kNotFound if there is none.
Result<std::string> ReadSmallFile(int folder, const std::string& name, std::size_t most);

// "/a/b" -> "/a/b/c"; "/" -> "/c". `path` may be empty.
std::string PathBelow(const std::string& folder, std::string_view path);

// The way back: "/a/b" and "/a/b/c" -> "c". REQUIRES: `path` is `folder` or lies below it.
std::string PathFrom(const std::string& folder, const std::string& path);

// Whether both are on one file system, so that a rename leads from one to the other.
bool IsOnSameDisk(const std::string& a, const std::string& b);

// Whether `path` is `folder` or lies below it; both without a slash at their ends.
bool IsAtOrBelow(std::string_view path, std::string_view folder);

}  // namespace sightline
