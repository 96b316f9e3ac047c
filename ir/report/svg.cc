#include "sightline/ir/report/svg.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "sightline/base/utf8.h"

namespace sightline::ir {
namespace {

// A file in memory, which a process can have as its input or output.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : file_(memfd_create(name, MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (file_ >= 0) close(file_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int get() const { return file_; }

  // Leaves the file's position at the start.
  Status Write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = write(file_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return ErrnoStatus("a file in memory for graphviz", errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    lseek(file_, 0, SEEK_SET);
    return {};
  }

  Result<std::string> Read() const {
    std::string bytes;
    std::array<char, 65536> buffer = {};
    for (;;) {
      const ssize_t got =
          pread(file_, buffer.data(), buffer.size(), static_cast<off_t>(bytes.size()));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        return Error(ErrnoStatus("the output of graphviz", errno));
      }
      if (got == 0) return bytes;
      bytes.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }

 private:
  int file_;
};

Status NotInstalled(const std::string& program) {
  return {
      StatusCode::kNotFound,
      fmt::format(
          "graphviz, which draws the pictures, is not installed: program {} not found. "
          "Install it: apt-get install graphviz (Debian, Ubuntu), dnf install graphviz (Fedora), "
          "conda install graphviz",
          ToUtf8(program))};
}

// `program -Tsvg` with these files as its standard input, output and error.
Result<pid_t> Start(const std::string& program, const MemoryFile& in, const MemoryFile& out,
                    const MemoryFile& messages) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages.get(), STDERR_FILENO);
  std::string name = program;
  std::string format = "-Tsvg";
  const std::array<char*, 3> arguments = {name.data(), format.data(), nullptr};
  pid_t process = 0;
  const int error =
      posix_spawnp(&process, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) return Error(NotInstalled(program));
  if (error != 0) return Error(ErrnoStatus(program, error));
  return process;
}

// The status of the process when it has ended; it is killed when that takes too long.
Result<int> Wait(pid_t process, std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  const auto handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  bool ended = handle < 0;  // An old kernel: there is no limit.
  while (!ended) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd poll_for = {handle, POLLIN, 0};
    const int ready = poll(&poll_for, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
    ended = ready > 0 || (ready < 0 && errno != EINTR);
    if (!ended && left.count() <= 0) break;
  }
  if (handle >= 0) close(handle);
  if (!ended) kill(process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return Error(ErrnoStatus("waiting for graphviz", errno));
  if (!ended) {
    return Error(StatusCode::kUnavailable,
                 fmt::format("graphviz did not lay the graph out within {} s; draw less of it",
                             static_cast<double>(limit.count()) / 1000));
  }
  return status;
}

}  // namespace

Result<std::string> MakeSvg(std::string_view dot, const SvgOptions& options) {
  const MemoryFile in("dot");
  const MemoryFile out("svg");
  const MemoryFile messages("messages");
  if (in.get() < 0 || out.get() < 0 || messages.get() < 0)
    return Error(ErrnoStatus("a file in memory for graphviz", errno));
  SIGHTLINE_RETURN_IF_ERROR(in.Write(dot));
  SIGHTLINE_ASSIGN_OR_RETURN(const pid_t process, Start(options.program, in, out, messages));
  SIGHTLINE_ASSIGN_OR_RETURN(const int status, Wait(process, options.time_limit));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return out.Read();
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string said, messages.Read());
  return Error(StatusCode::kInvalidArgument,
               fmt::format("graphviz cannot draw this: {}", ToUtf8(said, 1000)));
}

}  // namespace sightline::ir
