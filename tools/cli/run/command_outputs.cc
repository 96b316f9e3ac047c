#include "sightline/tools/cli/run/command_outputs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace sightline {
namespace {

bool IsSameFile(int a, int b) {
  struct stat first = {};
  struct stat second = {};
  return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

}  // namespace

Result<CommandOutputs> CommandOutputs::Make() {
  CommandOutputs outputs;
  if (isatty(STDOUT_FILENO) == 1) {
    SIGHTLINE_ASSIGN_OR_RETURN(outputs.terminal_, CommandTerminal::Open(STDOUT_FILENO));
    outputs.streams_.push_back({outputs.terminal_->master(), STDOUT_FILENO});
    for (std::size_t i = 0; i < outputs.ends_.size(); ++i)
      if (isatty(static_cast<int>(i)) == 1) outputs.ends_[i] = outputs.terminal_->slave();
  }
  for (const std::size_t output : {std::size_t{STDOUT_FILENO}, std::size_t{STDERR_FILENO}}) {
    if (outputs.ends_[output] >= 0 || fcntl(static_cast<int>(output), F_GETFD) < 0) continue;
    if (output == STDERR_FILENO && outputs.pipes_.size() == 1 &&
        IsSameFile(STDOUT_FILENO, STDERR_FILENO)) {
      outputs.ends_[output] = outputs.pipes_.front();
    } else {
      SIGHTLINE_RETURN_IF_ERROR(outputs.AddPipe(output));
    }
  }
  return outputs;
}

Status CommandOutputs::AddPipe(std::size_t output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return ErrnoStatus("a pipe for the command", errno);
  streams_.push_back({ends[0], static_cast<int>(output)});
  pipes_.push_back(ends[1]);
  ends_[output] = ends[1];
  return {};
}

void CommandOutputs::BecomeThoseOfThisProcess() const {
  if (terminal_) terminal_->BecomeTerminalOfThisProcess();
  for (std::size_t i = 0; i < ends_.size(); ++i)
    if (ends_[i] >= 0) dup2(ends_[i], static_cast<int>(i));
}

void CommandOutputs::ClosePipes() {
  for (const int pipe : pipes_) close(pipe);
  pipes_.clear();
}

}  // namespace sightline
