// Preloaded into the program by signal_program_test: holds it back in calls of the C library, as a
// file system that does not answer would.
//
// SIGHTLINE_HOLD is a list "call:text,call:text": the first such call on a path that contains the
// text never returns. Its thread first writes its process id to the descriptor SIGHTLINE_HOLD_FD.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

constexpr int kMaxHolds = 8;
std::atomic<bool> held[kMaxHolds];

void HoldAt(std::string_view call, std::string_view path) {
  const int before = errno;
  const char* const holds = std::getenv("SIGHTLINE_HOLD");
  std::string_view rest = holds == nullptr ? "" : holds;
  for (int i = 0; !rest.empty() && i < kMaxHolds; ++i) {
    const std::string_view hold = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), hold.size() + 1));
    const std::size_t colon = hold.find(':');
    if (hold.substr(0, colon) != call || path.find(hold.substr(colon + 1)) == path.npos) continue;
    if (held[i].exchange(true)) continue;
    const pid_t process = getpid();
    if (write(std::atoi(std::getenv("SIGHTLINE_HOLD_FD")), &process, sizeof(process)) < 0) abort();
    for (;;) pause();
  }
  errno = before;
}

void HoldAt(std::string_view call, int descriptor) {
  char link[32];
  char path[4096];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof(path));
  if (length > 0) HoldAt(call, std::string_view(path, static_cast<std::size_t>(length)));
}

template <typename Function>
Function* Next(Function* /*ours*/, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int ModeOf(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, int) : 0;
}

}  // namespace

// The C library's names for parameters begin with underscores.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int mode = ModeOf(flags, arguments);
  va_end(arguments);
  HoldAt("open", path);
  return Next(&open, "open")(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int mode = ModeOf(flags, arguments);
  va_end(arguments);
  HoldAt("open", path);
  return Next(&open64, "open64")(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const int mode = ModeOf(flags, arguments);
  va_end(arguments);
  HoldAt("open", path);
  return Next(&openat, "openat")(folder, path, flags, mode);
}

std::FILE* fopen(const char* path, const char* mode) {
  HoldAt("open", path);
  return Next(&fopen, "fopen")(path, mode);
}

std::FILE* fopen64(const char* path, const char* mode) {
  HoldAt("open", path);
  return Next(&fopen64, "fopen64")(path, mode);
}

DIR* opendir(const char* path) {
  HoldAt("open", path);
  return Next(&opendir, "opendir")(path);
}

ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t at) {
  HoldAt("read", descriptor);
  return Next(&pread, "pread")(descriptor, bytes, size, at);
}

ssize_t pread64(int descriptor, void* bytes, std::size_t size, off64_t at) {
  HoldAt("read", descriptor);
  return Next(&pread64, "pread64")(descriptor, bytes, size, at);
}

ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t at) {
  HoldAt("write", descriptor);
  return Next(&pwrite, "pwrite")(descriptor, bytes, size, at);
}

ssize_t pwrite64(int descriptor, const void* bytes, std::size_t size, off64_t at) {
  HoldAt("write", descriptor);
  return Next(&pwrite64, "pwrite64")(descriptor, bytes, size, at);
}

int unlinkat(int folder, const char* path, int flags) {
  HoldAt("remove", path);
  return Next(&unlinkat, "unlinkat")(folder, path, flags);
}

int fflush(std::FILE* file) {
  if (file == stdout) HoldAt("print", "");
  return Next(&fflush, "fflush")(file);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
