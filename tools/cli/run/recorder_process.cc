#include "sightline/tools/cli/run/recorder_process.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "sightline/tools/cli/run/close_descriptors.h"
#include "sightline/tools/cli/run/say.h"

namespace sightline {
RecorderProcess::RecorderProcess(CommandOutputs& outputs, ConsoleFiles files)
    : outputs_(outputs), relay_(outputs.streams(), files, SayOfRun), files_(files) {}

void RecorderProcess::Start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  std::fflush(nullptr);
  child_ = fork();
  if (child_ == 0) {
    close(ends[0]);
    RunChild(ends[1]);
  }
  close(ends[1]);
  if (child_ < 0) {
    close(ends[0]);
    return;
  }
  setpgid(child_, child_);
  to_child_.emplace(ends[0]);
}

void RecorderProcess::RunChild(int parent) {
  setpgid(0, 0);
  outputs_.ClosePipes();
  if (outputs_.terminal() != nullptr) outputs_.terminal()->CloseSlave();
  std::vector<int> kept = {parent, files_.console, files_.times};
  for (const ConsoleRelay::Stream& stream : outputs_.streams()) kept.push_back(stream.source);
  CloseDescriptorsExcept(std::move(kept));
  while (!relay_.AtEnd()) {
    std::vector<pollfd> polled = relay_.Polled();
    polled.push_back({parent, POLLIN, 0});
    poll(polled.data(), polled.size(), -1);
    if (polled.back().revents == 0) {
      relay_.Relay(polled);
      continue;
    }
    char asked = 0;
    if (read(parent, &asked, 1) == 1) {
      relay_.RelayWhatIsThere();
      (void)!write(parent, &asked, 1);
    } else {
      parent = -1;  // It was killed, or its work is done.
    }
  }
  _exit(0);
}

void RecorderProcess::JoinGroup() const { setpgid(0, std::max(child_, 0)); }

std::vector<pollfd> RecorderProcess::Polled() const {
  if (to_child_) return {{to_child_->get(), POLLIN, 0}};
  return relay_.Polled();
}

void RecorderProcess::OnPolled(const std::vector<pollfd>& polled) {
  if (!to_child_) {
    relay_.Relay(polled);
    return;
  }
  if (polled.front().revents == 0) return;
  char told = 0;
  if (read(to_child_->get(), &told, 1) == 1) {
    has_passed_on_all_ = true;
    return;
  }
  to_child_.reset();
  relay_.TakeOver();
  if (is_asked_) PassOnWhatIsThere();
}

void RecorderProcess::PassOnWhatIsThere() {
  is_asked_ = true;
  const char ask = 0;
  if (to_child_) {
    (void)!write(to_child_->get(), &ask, 1);  // If it has ended, OnPolled() will be told.
    return;
  }
  relay_.RelayWhatIsThere();
  has_passed_on_all_ = true;
}

}  // namespace sightline
