#include "sightline/tools/cli/run/recorded_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "sightline/base/descriptor.h"
#include "sightline/base/status.h"
#include "sightline/tools/cli/run/command_outputs.h"
#include "sightline/tools/cli/run/counters_process.h"
#include "sightline/tools/cli/run/recorder_process.h"
#include "sightline/tools/cli/run/say.h"

namespace sightline {
namespace {

constexpr int kNotFound = 127;
constexpr int kNotStarted = 126;
constexpr int kForegroundMilliseconds = 500;
constexpr timespec kBetweenLooks = {0, 20'000'000};

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers(words.size() + 1);
  for (std::size_t i = 0; i < words.size(); ++i) pointers[i] = words[i].data();
  return pointers;
}

int ReportNotStarted(const std::string& name, int error) {
  SayOfRun(std::string(ErrnoStatus(name, error).message()));
  return error == ENOENT ? kNotFound : kNotStarted;
}

// All that a process can handle, but those that tell of a fault in this one.
sigset_t PassedOnSignals() {
  sigset_t signals;
  sigfillset(&signals);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP, SIGABRT})
    sigdelset(&signals, number);
  return signals;
}

bool IsStopped(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(file, text);
  return text.find(") T ") != text.npos;
}

bool IsCalled(pid_t process, const std::string& name) {
  std::ifstream file(fmt::format("/proc/{}/comm", process));
  std::string text;
  return std::getline(file, text) && text == name;
}

// A process that lets this one, which is about to stop, go on when the command does: a shell goes
// on with the command's group, in which this process is not.
pid_t StartResumer(pid_t command) {
  const pid_t stopped = getpid();
  const pid_t resumer = fork();
  if (resumer != 0) return resumer;
  while (getppid() == stopped && (!IsStopped(stopped) || IsStopped(command)))
    nanosleep(&kBetweenLooks, nullptr);
  if (getppid() == stopped) kill(stopped, SIGCONT);
  _exit(0);
}

int EndLike(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int number = WTERMSIG(status);
  constexpr rlimit kNone = {0, 0};
  setrlimit(RLIMIT_CORE, &kNone);  // The command has left its own.
  signal(number, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  sigprocmask(SIG_UNBLOCK, &one, nullptr);
  raise(number);
  constexpr int kShells = 128;
  return kShells + number;
}

class RecordedCommand {
 public:
  RecordedCommand(CommandOutputs outputs, ConsoleFiles files)
      : outputs_(std::move(outputs)), recorder_(outputs_, files) {}

  // `counters`: null if its child is not to be started.
  int Run(std::vector<std::string> command, std::unique_ptr<CountersProcess> counters);

 private:
  CommandTerminal* terminal() const { return outputs_.terminal(); }
  int Start(std::vector<std::string>& command);
  [[noreturn]] void BecomeCommand(std::vector<std::string>& command, int begin, int told) const;
  void LeaveGroup();
  void WaitForSomething();
  void OnSignals();
  void OnSignal(const signalfd_siginfo& signal);
  void OnSignalAtTerminal(const signalfd_siginfo& signal);
  void OnChildren();
  void Stop();
  bool IsFromTimeout(const signalfd_siginfo& signal) const;

  CommandOutputs outputs_;
  RecorderProcess recorder_;
  sigset_t mask_before_ = {};
  sighandler_t on_child_before_ = SIG_DFL;
  std::optional<Descriptor> signals_;
  pid_t command_ = -1;
  pid_t resumer_ = -1;
  pid_t group_ = -1;                  // The command's, and ours before.
  std::set<std::uint32_t> timeouts_;  // The signals that timeout(1) sent.
  std::optional<int> status_;         // The command's, of waitpid(2).
  bool is_over_ = false;
};

int RecordedCommand::Run(std::vector<std::string> command,
                         std::unique_ptr<CountersProcess> counters) {
  const sigset_t passed_on = PassedOnSignals();
  sigprocmask(SIG_BLOCK, &passed_on, &mask_before_);
  on_child_before_ = signal(SIGCHLD, SIG_DFL);
  signals_.emplace(signalfd(-1, &passed_on, SFD_CLOEXEC | SFD_NONBLOCK));
  recorder_.Start();
  group_ = getpgrp();
  const int error = Start(command);
  if (error != 0) {
    if (terminal() != nullptr) terminal()->Leave();
    return ReportNotStarted(command.front(), error);
  }
  if (counters) counters->Start(command_);
  while (!is_over_) WaitForSomething();
  if (terminal() != nullptr) terminal()->Leave();
  if (counters) counters->Finish(*status_);
  return EndLike(*status_);
}

// Returns the number of the error, or 0. The command begins when this process has left the group:
// it would pass on what the group gets, and the command would get it twice.
int RecordedCommand::Start(std::vector<std::string>& command) {
  int begin[2];  // Closed when the command may begin.
  int told[2];   // The error of exec; nothing if there is none.
  if (pipe2(begin, O_CLOEXEC) != 0) return errno;
  const Descriptor waiting(begin[0]);
  Descriptor beginning(begin[1]);
  if (pipe2(told, O_CLOEXEC) != 0) return errno;
  command_ = fork();
  if (command_ == 0) {
    close(beginning.Release());
    BecomeCommand(command, begin[0], told[1]);
  }
  int error = command_ < 0 ? errno : 0;
  if (error == 0 && terminal() == nullptr) recorder_.JoinGroup();
  close(beginning.Release());
  close(told[1]);
  outputs_.ClosePipes();
  while (command_ > 0 && read(told[0], &error, sizeof(error)) < 0 && errno == EINTR) {
  }
  close(told[0]);
  return error;
}

void RecordedCommand::BecomeCommand(std::vector<std::string>& command, int begin, int told) const {
  char nothing = 0;
  while (read(begin, &nothing, 1) < 0 && errno == EINTR) {
  }
  outputs_.BecomeThoseOfThisProcess();
  signal(SIGCHLD, on_child_before_);
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  execvp(command.front().c_str(), Pointers(command).data());
  const int error = errno;
  (void)!write(told, &error, sizeof(error));
  _exit(kNotStarted);
}

void RecordedCommand::WaitForSomething() {
  std::vector<pollfd> polled = recorder_.Polled();
  const std::size_t of_recorder = polled.size();
  polled.push_back({signals_->get(), POLLIN, 0});
  if (terminal() != nullptr) {
    polled.push_back({terminal()->ToRead(), POLLIN, 0});
    polled.push_back({terminal()->ToWrite(), POLLOUT, 0});
  }
  const bool looks = terminal() != nullptr && terminal()->IsWaitingForForeground();
  poll(polled.data(), polled.size(), looks ? kForegroundMilliseconds : -1);
  if (looks) terminal()->Enter();
  if (terminal() != nullptr && polled[of_recorder + 1].revents != 0 &&
      terminal()->PassOnKeys(command_)) {
    terminal()->SignalForeground(SIGSTOP);
  }
  if (terminal() != nullptr && polled[of_recorder + 2].revents != 0)
    terminal()->PassOnPendingKeys();
  recorder_.OnPolled(polled);
  if (polled[of_recorder].revents != 0) OnSignals();
  is_over_ = is_over_ || (status_ && recorder_.HasPassedOnAll());
}

void RecordedCommand::OnSignals() {
  signalfd_siginfo signal = {};
  while (read(signals_->get(), &signal, sizeof(signal)) == sizeof(signal)) {
    if (signal.ssi_signo == SIGCHLD) {
      OnChildren();
    } else {
      OnSignal(signal);
    }
  }
}

void RecordedCommand::OnSignal(const signalfd_siginfo& signal) {
  const auto number = static_cast<int>(signal.ssi_signo);
  // The kernel signals the group, and so does timeout(1) after its child.
  const bool is_the_groups = (signal.ssi_code == SI_KERNEL && number != SIGALRM) ||
                             (IsFromTimeout(signal) && getppid() == group_);
  const bool is_resumers = static_cast<pid_t>(signal.ssi_pid) == resumer_;  // The command runs.
  if (status_) {  // Who reads what the command printed may be slow.
    is_over_ = number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
  } else if (terminal() != nullptr) {
    OnSignalAtTerminal(signal);
  } else if (!is_the_groups && !is_resumers) {
    kill(command_, number);
  }
}

void RecordedCommand::OnSignalAtTerminal(const signalfd_siginfo& signal) {
  const auto number = static_cast<int>(signal.ssi_signo);
  if (number == SIGWINCH) return terminal()->CopySize();
  if (number == SIGTSTP || number == SIGTTIN || number == SIGTTOU) {
    return terminal()->SignalForeground(HasDefaultAction(command_, SIGTSTP) ? SIGSTOP : SIGTSTP);
  }
  // It signals its child, and then its child's group, in which this one alone is.
  if (IsFromTimeout(signal) && !timeouts_.insert(signal.ssi_signo).second) return;
  if (signal.ssi_code == SI_KERNEL && number != SIGALRM) {
    terminal()->SignalForeground(number);
  } else {
    kill(command_, number);
  }
}

bool RecordedCommand::IsFromTimeout(const signalfd_siginfo& signal) const {
  return static_cast<pid_t>(signal.ssi_pid) == getppid() && IsCalled(getppid(), "timeout");
}

void RecordedCommand::OnChildren() {
  int status = 0;
  for (pid_t child = 0; (child = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;) {
    if (child != command_) continue;
    if (WIFSTOPPED(status)) {
      Stop();
      continue;
    }
    status_ = status;
    if (terminal() != nullptr) terminal()->CloseSlave();
    recorder_.PassOnWhatIsThere();
  }
}

// Whoever waits for this process sees that the command has stopped.
void RecordedCommand::Stop() {
  if (terminal() != nullptr) {
    terminal()->Leave();
    kill(0, SIGTSTP);  // The others, as Ctrl-Z would. This one goes on until the next line.
    kill(getpid(), SIGSTOP);
    terminal()->Enter();
    return terminal()->SignalForeground(SIGCONT);
  }
  resumer_ = StartResumer(command_);
  if (resumer_ < 0) return;
  kill(getpid(), SIGSTOP);
  kill(resumer_, SIGKILL);
}

}  // namespace

int RunRecorded(std::vector<std::string> command, std::string folder, ConsoleFiles files) {
  auto outputs = CommandOutputs::Make();
  if (!outputs) {
    SayOfRun(std::string(outputs.error().message()) + "; nothing is recorded");
    return Exec(std::move(command));
  }
  std::unique_ptr<CountersProcess> counters;
  if (files.console >= 0) counters = std::make_unique<CountersProcess>(std::move(folder), command);
  return RecordedCommand(*std::move(outputs), files).Run(std::move(command), std::move(counters));
}

int Exec(std::vector<std::string> command) {
  std::fflush(nullptr);
  execvp(command.front().c_str(), Pointers(command).data());
  return ReportNotStarted(command.front(), errno);
}

}  // namespace sightline
