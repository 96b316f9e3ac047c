#include "sightline/landscape/surface/command_loss.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "sightline/base/parse_number.h"
#include "sightline/landscape/surface/safetensors_file.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has none.

namespace sightline::landscape {
namespace {

constexpr std::size_t kMaxAnswer = std::size_t{1} << 20U;
constexpr auto kPatience = std::chrono::seconds(5);
constexpr std::string_view kSpaces = " \t\r,";

Result<std::vector<double>> ParseAnswer(std::string_view line) {
  std::vector<double> values;
  std::string_view rest = line;
  for (;;) {
    const std::size_t begin = rest.find_first_not_of(kSpaces);
    if (begin == std::string_view::npos) break;
    rest.remove_prefix(begin);
    const std::string_view word = rest.substr(0, rest.find_first_of(kSpaces));
    const auto value = ParseNumber<double>(word);
    if (!value) {
      return Error(StatusCode::kInvalidArgument,
                   fmt::format("the program answered '{}', which is not a line of numbers",
                               line.substr(0, 200)));
    }
    values.push_back(*value);
    rest.remove_prefix(word.size());
  }
  return values;
}

}  // namespace

class CommandLoss::Worker {
 public:
  explicit Worker(const std::string& command) : command_(command) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    CloseInput();
    if (pid_ > 0) WaitOrKill();
    if (output_ >= 0) close(output_);
  }

  Result<std::vector<double>> Ask(const PointParameters& point) {
    if (pid_ < 0) SIGHTLINE_RETURN_IF_ERROR(Start());
    SIGHTLINE_ASSIGN_OR_RETURN(const std::span<float> values, ValuesOf(point.parameters));
    if (values.data() != point.values.data()) std::ranges::copy(point.values, values.begin());
    SIGHTLINE_RETURN_IF_ERROR(Send(fmt::format("{} {} {}\n", point.x, point.y, file_->path())));
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string line, ReadLine());
    return ParseAnswer(line);
  }

  // The values in the file. The file is made anew for each checkpoint, since it also has the
  // tensors of the checkpoint that do not move.
  Result<std::span<float>> ValuesOf(const ParameterSet& set) {
    if (!file_ || checkpoint_ != set.last().name()) {
      file_.emplace();
      SIGHTLINE_RETURN_IF_ERROR(file_->Create(set));
      checkpoint_ = set.last().name();
    }
    return file_->values();
  }

  // Ends the program's input.
  void CloseInput() {
    if (input_ >= 0) close(std::exchange(input_, -1));
  }

 private:
  // The program's input is a socket, since writing to a pipe after the program has closed it would
  // raise SIGPIPE here.
  Status Start() {
    int sockets[2];
    int pipes[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
      return ErrnoStatus("cannot start the program", errno);
    input_ = sockets[0];
    if (pipe2(pipes, O_CLOEXEC) != 0) {
      const int error = errno;
      close(sockets[1]);
      return ErrnoStatus("cannot start the program", error);
    }
    output_ = pipes[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, sockets[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
    std::string command = command_;
    std::string shell = "sh";
    std::string flag = "-c";
    char* arguments[] = {shell.data(), flag.data(), command.data(), nullptr};
    const int error = posix_spawn(&pid_, "/bin/sh", &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(sockets[1]);
    close(pipes[1]);
    if (error == 0) return {};
    pid_ = -1;
    return ErrnoStatus("cannot start /bin/sh", error);
  }

  Status Send(std::string_view line) {
    while (!line.empty()) {
      const ssize_t sent = send(input_, line.data(), line.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return Ended();
      line.remove_prefix(static_cast<std::size_t>(sent));
    }
    return {};
  }

  Result<std::string> ReadLine() {
    for (;;) {
      if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return line;
      }
      if (buffer_.size() > kMaxAnswer)
        return Error(StatusCode::kInvalidArgument, "the program's answer has no end of line");
      char bytes[4096];
      const ssize_t got = read(output_, bytes, sizeof(bytes));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return Error(Ended());
      buffer_.append(bytes, static_cast<std::size_t>(got));
    }
  }

  // Returns why there is no answer. Closing the input lets a program end that has only closed its
  // output.
  Status Ended() {
    CloseInput();
    const int status = WaitOrKill();
    const std::string how = WIFEXITED(status)     ? fmt::format("exit code {}", WEXITSTATUS(status))
                            : WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                                  : std::string("an unknown status");
    return Status(StatusCode::kFailedPrecondition,
                  fmt::format("the program '{}' ended with {} before it answered", command_, how));
  }

  int WaitOrKill() {
    int status = 0;
    const auto until = std::chrono::steady_clock::now() + kPatience;
    for (;;) {
      const pid_t got = waitpid(pid_, &status, WNOHANG);
      if (got == pid_ || (got < 0 && errno != EINTR)) break;
      if (std::chrono::steady_clock::now() > until) {
        kill(pid_, SIGKILL);
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    pid_ = 0;
    return status;
  }

  const std::string& command_;
  std::optional<SafetensorsFile> file_;
  std::string checkpoint_;  // The name of the checkpoint of which the file was made.
  pid_t pid_ = -1;          // -1: not started; 0: ended.
  int input_ = -1;
  int output_ = -1;
  std::string buffer_;
};

CommandLoss::CommandLoss(std::string command) : command_(std::move(command)) {}

// Closes all inputs first, so that the programs end at the same time.
CommandLoss::~CommandLoss() {
  for (const auto& worker : workers_)
    if (worker) worker->CloseInput();
}

CommandLoss::Worker& CommandLoss::Get(int worker) {
  const auto index = static_cast<std::size_t>(worker);
  const std::lock_guard lock(mutex_);
  if (workers_.size() <= index) workers_.resize(index + 1);
  if (!workers_[index]) workers_[index] = std::make_unique<Worker>(command_);
  return *workers_[index];
}

Result<std::vector<double>> CommandLoss::operator()(const PointParameters& point) {
  return Get(point.worker).Ask(point);
}

std::span<float> CommandLoss::Buffer(const ParameterSet& parameters, int worker) {
  return Get(worker).ValuesOf(parameters).value_or(std::span<float>());
}

}  // namespace sightline::landscape
