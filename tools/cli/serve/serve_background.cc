#include "sightline/tools/cli/serve/serve_background.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "sightline/base/system/write_all.h"
#include "sightline/dashboard/store/state_folder.h"
#include "sightline/tools/cli/terminal/exit_code.h"

namespace sightline {
namespace {

constexpr char kRunning = '+';
constexpr char kFailed = '-';

void Tell(int pipe, char how, const std::string& text) {
  (void)WriteAll(pipe, how + text);
  close(pipe);
}

// Away from the terminal: what it has to say goes into a log.
void Detach(const std::string& log) {
  setsid();
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  const int out = log.empty()
                      ? null
                      : open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                             S_IRUSR | S_IWUSR);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(out < 0 ? null : out, STDERR_FILENO);
}

}  // namespace

void BackgroundStart::Running(const std::string& url) const {
  prctl(PR_SET_PDEATHSIG, 0);
  Tell(pipe_, kRunning, url);
}
void BackgroundStart::Failed(const std::string& why) const { Tell(pipe_, kFailed, why); }

int StartInBackground(std::uint16_t port, const std::function<int(const BackgroundStart&)>& run) {
  int ends[2];
  // Above the standard descriptors, which may be closed and are about to be replaced.
  if (pipe2(ends, O_CLOEXEC) != 0) {
    std::fputs("sightline: cannot make a pipe\n", stderr);
    return kExitError;
  }
  for (int& end : ends) {
    const int above = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(end);
    end = above;
  }
  std::string log;
  if (const auto state = dashboard::StateFolder::OfUser()) {
    if (const auto path = state->FileFor(fmt::format("{}.log", port))) log = *path;
  }
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    std::fputs("sightline: cannot start a process\n", stderr);
    return kExitError;
  }
  if (child == 0) {
    // Who interrupts `start` before the server runs wants no server.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(kExitError);
    close(ends[0]);
    Detach(log);
    const int code = run(BackgroundStart(ends[1]));
    _exit(code);
  }
  close(ends[1]);
  std::string told;
  char buffer[4096];
  for (;;) {
    const ssize_t n = read(ends[0], buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    told.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  if (!told.empty() && told.front() == kRunning) {
    fmt::print("{}\n", told.substr(1));
    return kExitOk;
  }
  waitpid(child, nullptr, 0);
  fmt::print(stderr, "sightline: {}\n",
             told.empty() ? "the server ended at once; see " + log : told.substr(1));
  return kExitError;
}

}  // namespace sightline
