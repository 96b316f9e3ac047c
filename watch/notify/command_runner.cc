#include "sightline/watch/notify/command_runner.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "sightline/base/descriptor.h"
#include "sightline/base/system/started_program.h"
#include "sightline/base/system/write_all.h"

namespace sightline::watch {
Status RunCommand(const std::vector<std::string>& command, std::string_view input,
                  std::chrono::milliseconds patience) {
  // A file in memory: a command that does not read it keeps nobody waiting.
  const Descriptor file(memfd_create("sightline-notify", MFD_CLOEXEC));
  if (file.get() < 0 || !WriteAll(file.get(), input) || lseek(file.get(), 0, SEEK_SET) != 0)
    return ErrnoStatus("the message of a command", errno);
  const auto program = StartProgram(command, {.input = file.get()});
  if (!program) return {program.error().code(), "the command cannot be started"};
  const auto status = WaitForProgram(*program, patience);
  if (!status) {
    return {StatusCode::kUnavailable,
            fmt::format("the command took more than {} s", patience.count() / 1000)};
  }
  if (WIFSIGNALED(*status)) {
    return {StatusCode::kUnavailable,
            fmt::format("signal {} ended the command", WTERMSIG(*status))};
  }
  if (WEXITSTATUS(*status) != 0) {
    return {StatusCode::kUnavailable,
            fmt::format("the command ended with {}", WEXITSTATUS(*status))};
  }
  return {};
}

}  // namespace sightline::watch
