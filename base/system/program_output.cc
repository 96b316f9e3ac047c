#include "sightline/base/system/program_output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "sightline/base/descriptor.h"
#include "sightline/base/system/started_program.h"

namespace sightline {
namespace {

using Steady = std::chrono::steady_clock;

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
  const auto program = StartProgram(arguments, {.variables = variables, .output = ends[1]});
  close(ends[1]);
  if (!program) return std::nullopt;
  const Steady::time_point until = Steady::now() + limits.time;
  std::string text;
  const bool is_whole = ReadToEnd(output.get(), limits.bytes, until, text);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Steady::now());
  const auto status = WaitForProgram(*program, is_whole ? left : left.zero());
  if (!is_whole || !status || !WIFEXITED(*status) || WEXITSTATUS(*status) != 0) return std::nullopt;
  return text;
}

}  // namespace sightline
