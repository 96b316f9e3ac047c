#include "sightline/base/system/program_output.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "sightline/base/descriptor.h"

namespace sightline {
namespace {

using Steady = std::chrono::steady_clock;

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
  std::vector<std::string> all = variables;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const bool is_replaced =
        std::any_of(variables.begin(), variables.end(),
                    [&](const std::string& other) { return NameOf(other) == NameOf(*at); });
    if (!is_replaced) all.emplace_back(*at);
  }
  return all;
}

// Returns -1 if it cannot be started.
pid_t Start(std::vector<std::string> arguments, std::vector<std::string> variables, int output) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return -1;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int error = posix_spawnp(&child, arguments.front().c_str(), &actions, nullptr,
                                 Pointers(arguments).data(), Pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? child : -1;
}

// Reads to the end. False if there is more than `most`, or it takes longer.
bool ReadToEnd(int from, std::size_t most, Steady::time_point until, std::string& text) {
  std::array<char, std::size_t{64} << 10U> piece{};
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Steady::now()).count();
    pollfd polled = {from, POLLIN, 0};
    const int ready = left > 0 ? poll(&polled, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t got = read(from, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > most) return false;
  }
}

}  // namespace

std::optional<std::string> OutputOfProgram(const std::vector<std::string>& arguments,
                                           const std::vector<std::string>& variables,
                                           const ProgramLimits& limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const Descriptor output(ends[0]);
  const pid_t child = Start(arguments, EnvironmentWith(variables), ends[1]);
  close(ends[1]);
  if (child < 0) return std::nullopt;
  std::string text;
  const bool is_whole = ReadToEnd(output.get(), limits.bytes, Steady::now() + limits.time, text);
  if (!is_whole) kill(child, SIGKILL);
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  // Where SIGCHLD is ignored nobody learns how it ended.
  if (!is_whole || ended != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return std::nullopt;
  return text;
}

}  // namespace sightline
