// RecorderProcess: the child that records and passes on what a command prints. If it is killed,
// this process does its work. If this process is killed, the child goes on. One thread.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <optional>
#include <vector>

#include "sightline/base/descriptor.h"
#include "sightline/tools/cli/run/command_outputs.h"
#include "sightline/tools/cli/run/console_relay.h"

namespace sightline {

class RecorderProcess {
 public:
  // `outputs` must live as long as this. For `files` see ConsoleRelay.
  RecorderProcess(CommandOutputs& outputs, ConsoleFiles files);

  // Starts the child, in a process group of its own. If it cannot be, this process does the work.
  void Start();
  // This process leaves its group for the child's.
  void JoinGroup() const;

  // What to poll for, and what to call afterwards with these entries, which may be followed by
  // others.
  std::vector<pollfd> Polled() const;
  void OnPolled(const std::vector<pollfd>& polled);

  // Call it once, when the command has ended: HasPassedOnAll() is true some OnPolled() later.
  void PassOnWhatIsThere();
  bool HasPassedOnAll() const { return has_passed_on_all_; }

 private:
  [[noreturn]] void RunChild(int parent);

  CommandOutputs& outputs_;
  ConsoleRelay relay_;
  ConsoleFiles files_;
  pid_t child_ = -1;
  std::optional<Descriptor> to_child_;  // None: it has ended.
  bool is_asked_ = false;
  bool has_passed_on_all_ = false;
};

}  // namespace sightline
