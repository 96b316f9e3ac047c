#include "sightline/tools/cli/run/counters_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "sightline/base/clock.h"
#include "sightline/base/digest/sha256.h"
#include "sightline/base/pattern/secrets.h"
#include "sightline/base/process_rank.h"
#include "sightline/base/system/environment.h"
#include "sightline/base/utf8.h"
#include "sightline/collectors/facts/run_facts.h"
#include "sightline/recorder/recorder.h"
#include "sightline/tools/cli/run/close_descriptors.h"
#include "sightline/tools/cli/run/command_counters.h"
#include "sightline/tools/cli/run/say.h"

namespace sightline {
namespace {

constexpr int kSecond = 1000;
constexpr int kSampleMilliseconds = 10 * kSecond;
constexpr std::int64_t kNanosOfSecond = 1'000'000'000;

RecorderOptions OptionsOfCounters() {
  RecorderOptions options;
  options.formats = {Format::kTensorBoard};
  options.writing.buffer_bytes = std::size_t{1} << 20U;
  options.writing.on_buffer_full = OnBufferFull::kDrop;
  options.writing.workers = 0;
  if (!RankOfEnvironment()) {
    options.writing.rank = 0;
    options.writing.world_size = 0;
  }
  return options;
}

// The first process of this machine records the machine, too.
bool IsFirstOfMachine() {
  for (const char* const name : {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                 "PMI_LOCAL_RANK", "SLURM_LOCALID"}) {
    const std::string rank = EnvironmentVariable(name);
    if (!rank.empty()) return rank == "0";
  }
  return true;
}

void KeepFacts(const Recorder& recorder, const std::vector<std::string>& command) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  RunFactsOptions options;
  options.sha256_hex = [](std::string_view bytes) { return Sha256Hex(bytes); };
  nlohmann::ordered_json facts =
      SessionFacts(here.string(), command, EnvironmentVariables(), options);
  facts["folder"] = ToUtf8(HideSecrets(recorder.directory()));
  (void)KeepRunFacts(recorder.directory(), recorder.session_id(), facts.dump()).ok();
}

class CountersRecorder {
 public:
  CountersRecorder(Recorder& recorder, pid_t command)
      : recorder_(recorder), counters_(command, IsFirstOfMachine()) {}

  // False once the command has ended.
  bool Sample() {
    const std::int64_t now = Clock::System().MonotonicNanos();
    const auto sample = counters_.Sample(now);
    if (!sample) return false;
    std::vector<TaggedValue> values;
    values.reserve(sample->size());
    for (const ResourceValue& each : *sample)
      values.push_back({recorder_.Intern(each.name), Value::Scalar(each.value)});
    recorder_.Record(Step(now), values);
    return true;
  }

  void AddExitCode(int code) {
    recorder_.AddScalar("command/exit_code", Step(Clock::System().MonotonicNanos()), code);
  }

 private:
  std::int64_t Step(std::int64_t now) const { return (now - begin_) / kNanosOfSecond; }

  Recorder& recorder_;
  CommandCounters counters_;
  const std::int64_t begin_ = Clock::System().MonotonicNanos();
};

int ExitCode(int status) {
  constexpr int kShells = 128;
  return WIFSIGNALED(status) ? kShells + WTERMSIG(status) : WEXITSTATUS(status);
}

// The status that the parent tells; none if it does not within `most` milliseconds. A parent that
// was killed becomes -1.
std::optional<int> StatusFrom(int& parent, int most) {
  pollfd polled = {parent, POLLIN, 0};
  if (poll(&polled, 1, most) <= 0) return std::nullopt;
  int status = 0;
  if (read(parent, &status, sizeof(status)) == sizeof(status)) return status;
  parent = -1;
  return std::nullopt;
}

// Until the command has ended. Returns its status, if somebody tells it.
std::optional<int> Record(CountersRecorder& counters, int parent) {
  int pause = kSecond;  // A rate soon after the beginning.
  do {
    if (const auto status = StatusFrom(parent, pause)) return status;
    pause = parent < 0 ? kSecond : kSampleMilliseconds;
  } while (counters.Sample());
  return StatusFrom(parent, kSecond);
}

}  // namespace

void CountersProcess::Start(pid_t command) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) RunChild(command, ends[1]);
  close(ends[1]);
  to_child_.emplace(ends[0]);
  if (child < 0) to_child_.reset();
}

void CountersProcess::Finish(int status) {
  if (!to_child_) return;
  if (send(to_child_->get(), &status, sizeof(status), MSG_NOSIGNAL) != sizeof(status)) return;
  pollfd polled = {to_child_->get(), POLLIN, 0};
  poll(&polled, 1, kMostMilliseconds);
}

void CountersProcess::RunChild(pid_t command, int parent) const {
  setpgid(0, 0);  // What ends the command's group does not end this.
  CloseDescriptorsExcept({parent});
  auto recorder = Recorder::Open(folder_, OptionsOfCounters());
  if (!recorder) {
    SayOfRun(std::string(recorder.error().message()) + "; only the console is recorded");
    _exit(1);
  }
  // Whoever reads the command's output waits for all that have it.
  if (const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC); nowhere >= 0)
    for (const int output : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, output);
  CountersRecorder counters(**recorder, command);
  counters.Sample();
  KeepFacts(**recorder, command_);
  const std::optional<int> status = Record(counters, parent);
  if (status) counters.AddExitCode(ExitCode(*status));
  _exit((*recorder)->Close().ok() ? 0 : 1);
}

}  // namespace sightline
