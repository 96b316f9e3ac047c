#include "sightline/base/system/started_program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "sightline/base/system/environment.h"

namespace sightline {
namespace {

using Steady = std::chrono::steady_clock;
constexpr int kPauseMilliseconds = 5;

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string_view NameOf(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

std::vector<std::string> EnvironmentWith(const std::vector<std::string>& variables) {
  std::vector<std::string> all = EnvironmentVariables();
  std::erase_if(all, [&](const std::string& old) {
    return std::any_of(variables.begin(), variables.end(), [&](const std::string& variable) {
      return NameOf(variable) == NameOf(old);
    });
  });
  all.insert(all.end(), variables.begin(), variables.end());
  return all;
}

void Direct(posix_spawn_file_actions_t& actions, int descriptor, int to, int mode) {
  if (descriptor >= 0) {
    posix_spawn_file_actions_adddup2(&actions, descriptor, to);
  } else {
    posix_spawn_file_actions_addopen(&actions, to, "/dev/null", mode, 0);
  }
}

}  // namespace

Result<pid_t> StartProgram(std::vector<std::string> arguments, const ProgramStart& start) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  Direct(actions, start.input, STDIN_FILENO, O_RDONLY);
  Direct(actions, start.output, STDOUT_FILENO, O_WRONLY);
  Direct(actions, -1, STDERR_FILENO, O_WRONLY);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> variables = EnvironmentWith(start.variables);
  pid_t program = -1;
  const int error = posix_spawnp(&program, arguments.front().c_str(), &actions, &attributes,
                                 Pointers(arguments).data(), Pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return Error(ErrnoStatus("the program cannot be started", error));
  return program;
}

// By asking again and again: kernels before 5.3 have no descriptor that tells of the end.
std::optional<int> WaitForProgram(pid_t program, std::chrono::milliseconds patience) {
  const Steady::time_point until = Steady::now() + patience;
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(program, &status, WNOHANG);
    if (ended == program) return status;
    if (ended < 0 && errno != EINTR) return std::nullopt;
    if (Steady::now() >= until) break;
    poll(nullptr, 0, kPauseMilliseconds);
  }
  kill(-program, SIGKILL);
  while (waitpid(program, &status, 0) < 0 && errno == EINTR) {
  }
  return std::nullopt;
}

}  // namespace sightline
