#include "sightline/tools/cli/terminal/remove_on_signal.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <utility>

namespace sightline {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
std::atomic<const char*> path_to_remove = nullptr;
static_assert(std::atomic<const char*>::is_always_lock_free);  // A handler may read it.

// The signals that the program was not started to ignore get `handler`.
void Handle(void (*handler)(int)) {
  for (const int signal : kSignals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_NODEFER;  // A second one is not held back until the handler returns.
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

// Below here runs in the handler, which may make system calls but not allocate.

void RemoveTree(int folder, const char* name);

// Removes what is in `folder`. Returns whether anything was there.
bool RemoveEntries(int folder) {
  lseek(folder, 0, SEEK_SET);
  bool any = false;
  alignas(dirent64) std::array<char, 4096> buffer = {};
  for (;;) {
    const auto got = syscall(SYS_getdents64, folder, buffer.data(), buffer.size());
    if (got <= 0) return any;
    for (const char* at = buffer.data(); at < buffer.data() + got;) {
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as the kernel wrote it.
      const auto* entry = reinterpret_cast<const dirent64*>(at);
      at += entry->d_reclen;
      const std::string_view name = static_cast<const char*>(entry->d_name);
      if (name == "." || name == "..") continue;
      any = true;
      RemoveTree(folder, entry->d_name);
    }
  }
}

void RemoveTree(int folder, const char* name) {
  if (unlinkat(folder, name, 0) == 0 || (errno != EISDIR && errno != EPERM)) return;
  const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inner < 0) return;
  // A file system may leave entries out of a listing while others are removed. What cannot be
  // removed is listed again and again.
  for (int tries = 0; tries < 10 && RemoveEntries(inner); ++tries) {
  }
  close(inner);
  unlinkat(folder, name, AT_REMOVEDIR);
}

void OnSignal(int signal) {
  Handle(SIG_DFL);
  if (const char* path = path_to_remove) RemoveTree(AT_FDCWD, path);
  raise(signal);
}

}  // namespace

RemoveOnSignal::RemoveOnSignal(std::string path) : path_(std::move(path)) {
  path_to_remove = path_.c_str();
  Handle(OnSignal);
}

RemoveOnSignal::~RemoveOnSignal() {
  Handle(SIG_DFL);
  path_to_remove = nullptr;
}

}  // namespace sightline
