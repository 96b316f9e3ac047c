// CloseRecordersOnSigterm: a signal handler may do almost nothing, so it wakes a thread that does
// the work.
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

#include "sightline/base/background_thread.h"
#include "sightline/base/process_registry.h"
#include "sightline/recorder/recorder.h"

namespace sightline {
namespace {

std::atomic<bool> installed{false};
int wake_fd = -1;
struct sigaction before;

void OnSigterm(int /*signal*/) {
  const int saved = errno;
  const std::uint64_t one = 1;
  const ssize_t ignored = write(wake_fd, &one, sizeof(one));
  (void)ignored;
  errno = saved;
}

void CloseAndEnd() {
  std::uint64_t count = 0;
  while (read(wake_fd, &count, sizeof(count)) < 0 && errno == EINTR) {
  }
  ProcessRegistry::CloseAll();
  sigaction(SIGTERM, &before, nullptr);
  kill(getpid(), SIGTERM);
}

}  // namespace

Status CloseRecordersOnSigterm() {
  if (installed.exchange(true)) {
    return Status(StatusCode::kFailedPrecondition, "CloseRecordersOnSigterm was called before");
  }
  wake_fd = eventfd(0, EFD_CLOEXEC);
  if (wake_fd < 0) return ErrnoStatus("cannot make an eventfd", errno);
  StartBackgroundThread("sightline-term", CloseAndEnd).detach();
  struct sigaction action {};
  action.sa_handler = OnSigterm;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGTERM, &action, &before) == 0) return {};
  return ErrnoStatus("cannot handle SIGTERM", errno);
}

}  // namespace sightline
