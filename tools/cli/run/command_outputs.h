// CommandOutputs: what a command has in place of our standard input and outputs, so that what it
// prints can be read on its way. One thread.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/tools/cli/run/command_terminal.h"
#include "sightline/tools/cli/run/console_relay.h"

namespace sightline {

class CommandOutputs {
 public:
  // A terminal stays one, and what goes to a file or a pipe goes into a pipe. If both outputs are
  // the same file, they go into one pipe, which keeps their order.
  static Result<CommandOutputs> Make();

  // Null: the command has no terminal of its own.
  CommandTerminal* terminal() const { return terminal_.get(); }
  const std::vector<ConsoleRelay::Stream>& streams() const { return streams_; }
  // In the forked child that becomes the command: it has them from now on.
  void BecomeThoseOfThisProcess() const;
  // Closes the command's ends of pipes here: they end with the command.
  void ClosePipes();

 private:
  Status AddPipe(std::size_t output);

  std::unique_ptr<CommandTerminal> terminal_;
  std::vector<ConsoleRelay::Stream> streams_;
  std::array<int, 3> ends_ = {-1, -1, -1};  // The command's. -1: that of this process.
  std::vector<int> pipes_;                  // Those of them that are pipes, once each.
};

}  // namespace sightline
