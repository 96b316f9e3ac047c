// CloseRecordersOnSigterm. A signal handler may do almost nothing, so it wakes a thread that does
// the work.
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>

#include "sightline/base/background_thread.h"
#include "sightline/base/process_registry.h"
#include "sightline/recorder/recorder.h"

namespace sightline {
namespace {

// The process whose thread waits at wake_fd. A forked child inherits the handler and the
// descriptor, but not the thread; if it wrote to the descriptor, its parent would end.
std::atomic<pid_t> owner{0};
int wake_fd = -1;
struct sigaction before;

void EndAsBefore() {
  sigaction(SIGTERM, &before, nullptr);
  kill(getpid(), SIGTERM);
}

void OnSigterm(int /*signal*/) {
  const int saved = errno;
  if (owner.load(std::memory_order_relaxed) == getpid()) {
    const std::uint64_t one = 1;
    const ssize_t ignored = write(wake_fd, &one, sizeof(one));
    (void)ignored;
  } else {
    EndAsBefore();
  }
  errno = saved;
}

void CloseAndEnd(int fd) {
  std::uint64_t count = 0;
  while (read(fd, &count, sizeof(count)) < 0 && errno == EINTR) {
  }
  ProcessRegistry::CloseAll();
  EndAsBefore();
}

// Held by Install, so that it runs once at a time.
std::mutex mutex;

Status Install() {
  if (owner == getpid()) {
    return Status(StatusCode::kFailedPrecondition, "CloseRecordersOnSigterm was called before");
  }
  const int fd = eventfd(0, EFD_CLOEXEC);
  if (fd < 0) return ErrnoStatus("cannot make an eventfd", errno);
  struct sigaction now {};
  if (sigaction(SIGTERM, nullptr, &now) != 0) {
    Status status = ErrnoStatus("cannot handle SIGTERM", errno);
    close(fd);
    return status;
  }
  auto thread = StartBackgroundThread("sightline-term", [fd] { CloseAndEnd(fd); });
  if (!thread) {
    close(fd);
    return thread.error();
  }
  thread->detach();
  // A forked child may have inherited our handler; then `before` is what was there before it.
  if (now.sa_handler != OnSigterm) before = now;
  wake_fd = fd;
  owner = getpid();
  struct sigaction action {};
  action.sa_handler = OnSigterm;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
  return {};
}

}  // namespace

Status CloseRecordersOnSigterm() {
  const std::lock_guard lock(mutex);
  return Install();
}

Status CloseRecordersOnDefaultSigterm() {
  const std::lock_guard lock(mutex);
  struct sigaction now {};
  const bool known = sigaction(SIGTERM, nullptr, &now) == 0;
  const bool ours = known && now.sa_handler == OnSigterm && owner != getpid();
  return ours || (known && now.sa_handler == SIG_DFL) ? Install() : Status();
}

}  // namespace sightline
