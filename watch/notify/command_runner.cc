#include "sightline/watch/notify/command_runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "sightline/base/descriptor.h"
#include "sightline/base/system/write_all.h"

namespace sightline::watch {
namespace {

// Starts it in a process group of its own, with the signals of a fresh process: this thread blocks
// them all. Returns an errno.
int Start(const std::vector<std::string>& command, int input, pid_t& process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int error =
      posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

Status RunCommand(const std::vector<std::string>& command, std::string_view input,
                  std::chrono::milliseconds patience) {
  // A file in memory: a command that does not read it keeps nobody waiting.
  const Descriptor file(memfd_create("sightline-notify", MFD_CLOEXEC));
  if (file.get() < 0 || !WriteAll(file.get(), input) || lseek(file.get(), 0, SEEK_SET) != 0)
    return ErrnoStatus("the message of a command", errno);
  pid_t process = -1;
  if (const int error = Start(command, file.get(), process); error != 0)
    return ErrnoStatus("the command cannot be started", error);
  const Descriptor ended(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  pollfd waiting = {ended.get(), POLLIN, 0};
  const bool in_time =
      ended.get() >= 0 && poll(&waiting, 1, static_cast<int>(patience.count())) == 1;
  if (!in_time) kill(-process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time)
    return {StatusCode::kUnavailable,
            fmt::format("the command took more than {} s", patience.count() / 1000)};
  if (WIFSIGNALED(status))
    return {StatusCode::kUnavailable, fmt::format("signal {} ended the command", WTERMSIG(status))};
  if (WEXITSTATUS(status) != 0)
    return {StatusCode::kUnavailable,
            fmt::format("the command ended with {}", WEXITSTATUS(status))};
  return {};
}

}  // namespace sightline::watch
