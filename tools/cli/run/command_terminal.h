// CommandTerminal: a terminal of the command's own, in place of the user's, so that what it prints
// can be read on its way while it still sees a terminal. Keys and the window's size go on to it.
//
// While the keys are passed on, the user's terminal is raw: Ctrl-C and the like are bytes, of which
// the command's terminal makes signals. One thread.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <memory>
#include <string>

#include "sightline/base/descriptor.h"
#include "sightline/base/status.h"

namespace sightline {

class CommandTerminal {
 public:
  // `user`: a descriptor of the user's terminal. Keys are passed on if standard input is a
  // terminal.
  static Result<std::unique_ptr<CommandTerminal>> Open(int user);
  CommandTerminal(const CommandTerminal&) = delete;
  CommandTerminal& operator=(const CommandTerminal&) = delete;
  ~CommandTerminal() { Leave(); }

  // The end from which the command's output is read. It does not block.
  int master() const { return master_.get(); }
  // In the forked child that becomes the command: makes a session of its own with this terminal.
  void BecomeTerminalOfThisProcess() const;
  // The end that the command has. While this process holds it too, there is no end of the output.
  int slave() const { return slave_.get(); }
  void CloseSlave() { close(slave_.Release()); }

  // Passes the keys on from now on, if this process is in the foreground. Idempotent.
  void Enter();
  // No longer; the user's terminal is as it was. Idempotent.
  void Leave();
  // Whether keys are to be passed on, but this process was not in the foreground when it was asked.
  bool IsWaitingForForeground() const { return passes_keys_ && !is_raw_; }
  void CopySize() const;

  // The descriptors to poll for: standard input, while its keys are passed on and there is room for
  // them, and the command's terminal while it has yet to take some. Else -1.
  int ToRead() const;
  int ToWrite() const { return pending_.empty() ? -1 : master_.get(); }
  // Passes on what was typed. Returns whether the command is to be stopped, by Ctrl-Z, which its
  // terminal does not do, since the command is alone in its session.
  bool PassOnKeys(pid_t command);
  void PassOnPendingKeys();

  // Sends a signal to the processes in the foreground of the command's terminal.
  void SignalForeground(int signal) const;

 private:
  CommandTerminal(int user, int master, int slave, const termios& modes);
  bool StopsCommand(char key, pid_t command) const;

  int user_;
  Descriptor master_;
  Descriptor slave_;
  termios modes_;  // Of the user's terminal, before.
  bool passes_keys_;
  bool is_raw_ = false;
  std::string pending_;  // Keys that the command's terminal has yet to take.
};

// Whether this signal stops or ends a process because it neither handles nor ignores it.
bool HasDefaultAction(pid_t process, int signal);

}  // namespace sightline
