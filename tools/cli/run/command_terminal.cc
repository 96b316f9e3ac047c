#include "sightline/tools/cli/run/command_terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <utility>

namespace sightline {
namespace {

constexpr std::size_t kMostKeys = 4096;

// The command's end of a terminal, or -1 and errno. openpty does the same, but before glibc 2.34 it
// is in libutil.
int OpenSlave(int master) {
  char path[64];
  if (grantpt(master) != 0 || unlockpt(master) != 0) return -1;
  if (ptsname_r(master, path, sizeof(path)) != 0) return -1;
  return open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
}

// Line ends are those of the command's terminal or of the user's, not of both.
void MakeLineEnds(int terminal, bool makes) {
  termios modes = {};
  if (tcgetattr(terminal, &modes) != 0) return;
  modes.c_oflag = makes ? modes.c_oflag | OPOST : modes.c_oflag & ~static_cast<tcflag_t>(OPOST);
  tcsetattr(terminal, TCSANOW, &modes);
}

}  // namespace

Result<std::unique_ptr<CommandTerminal>> CommandTerminal::Open(int user) {
  termios modes = {};
  winsize size = {};
  if (tcgetattr(user, &modes) != 0) return Error(ErrnoStatus("the terminal", errno));
  const bool has_size = ioctl(user, TIOCGWINSZ, &size) == 0;
  const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  const int slave = master < 0 ? -1 : OpenSlave(master);
  if (slave < 0) {
    Status status = ErrnoStatus("a terminal for the command", errno);
    if (master >= 0) close(master);
    return Error(std::move(status));
  }
  tcsetattr(slave, TCSANOW, &modes);
  if (has_size) ioctl(slave, TIOCSWINSZ, &size);
  std::unique_ptr<CommandTerminal> terminal(new CommandTerminal(user, master, slave, modes));
  MakeLineEnds(slave, false);
  terminal->Enter();
  return terminal;
}

CommandTerminal::CommandTerminal(int user, int master, int slave, const termios& modes)
    : user_(user),
      master_(master),
      slave_(slave),
      modes_(modes),
      passes_keys_(isatty(STDIN_FILENO) == 1) {}

void CommandTerminal::BecomeTerminalOfThisProcess() const {
  setsid();
  ioctl(slave(), TIOCSCTTY, 0);
}

void CommandTerminal::Enter() {
  if (!passes_keys_ || is_raw_ || tcgetpgrp(user_) != getpgrp()) return;
  if (tcgetattr(user_, &modes_) != 0) return;
  termios raw = modes_;
  cfmakeraw(&raw);
  if (tcsetattr(user_, TCSANOW, &raw) != 0) return;
  is_raw_ = true;
  if (slave() >= 0) MakeLineEnds(slave(), (modes_.c_oflag & OPOST) != 0);
  CopySize();
}

void CommandTerminal::Leave() {
  if (!is_raw_) return;
  is_raw_ = false;
  tcsetattr(user_, TCSANOW, &modes_);
  if (slave() >= 0) MakeLineEnds(slave(), false);
}

void CommandTerminal::CopySize() const {
  winsize size = {};
  if (ioctl(user_, TIOCGWINSZ, &size) == 0) ioctl(master(), TIOCSWINSZ, &size);
}

int CommandTerminal::ToRead() const {
  return is_raw_ && pending_.size() < kMostKeys ? STDIN_FILENO : -1;
}

bool CommandTerminal::PassOnKeys(pid_t command) {
  char keys[kMostKeys];
  const ssize_t got = read(STDIN_FILENO, keys, sizeof(keys));
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  if (got <= 0) {  // The user's terminal is gone: so ends the input.
    passes_keys_ = is_raw_ = false;
    termios modes = {};
    if (tcgetattr(master(), &modes) == 0) pending_.push_back(static_cast<char>(modes.c_cc[VEOF]));
    PassOnPendingKeys();
    return false;
  }
  bool stops = false;
  for (ssize_t i = 0; i < got; ++i) {
    if (StopsCommand(keys[i], command)) {
      stops = true;
    } else {
      pending_.push_back(keys[i]);
    }
  }
  PassOnPendingKeys();
  return stops;
}

void CommandTerminal::PassOnPendingKeys() {
  const ssize_t written = write(master(), pending_.data(), pending_.size());
  if (written > 0) pending_.erase(0, static_cast<std::size_t>(written));
  if (written < 0 && errno != EINTR && errno != EAGAIN) pending_.clear();
}

// A process that handles the key or the signal gets it as on any terminal.
bool CommandTerminal::StopsCommand(char key, pid_t command) const {
  termios modes = {};
  return tcgetattr(master(), &modes) == 0 && (modes.c_lflag & ISIG) != 0 &&
         static_cast<cc_t>(key) == modes.c_cc[VSUSP] && key != _POSIX_VDISABLE &&
         tcgetpgrp(master()) == command && HasDefaultAction(command, SIGTSTP);
}

void CommandTerminal::SignalForeground(int signal) const {
  const pid_t group = tcgetpgrp(master());
  if (group > 1) kill(-group, signal);
}

bool HasDefaultAction(pid_t process, int signal) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  const std::uint64_t bit = std::uint64_t{1} << (static_cast<unsigned>(signal) - 1);
  for (std::string name; status >> name;) {
    std::uint64_t mask = 0;
    if (name == "SigIgn:" || name == "SigCgt:") {
      status >> std::hex >> mask;
      if ((mask & bit) != 0) return false;
    }
  }
  return true;
}

}  // namespace sightline
