// The owner of a journal of points, also across machines.
//
// Within a machine flock decides: the kernel releases it when the owner ends. On some network
// drives other machines do not see the lock, so the owner also touches the journal every ten
// seconds: its modification time is a heartbeat. A journal is in use if it names an owner on
// another machine and was touched within the last minute. An owner that has closed the
// journal no longer counts.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "sightline/base/status.h"

namespace sightline::landscape {

// This process, as JSON: {"host":...,"pid":...}.
std::string OwnerOfThisProcess();

// kUnavailable, naming the owner, if `owner` (JSON, may be empty) is on another machine and the
// journal, open at `path` as `fd`, was touched within the last minute by that drive's clock.
Status CheckOtherMachines(const std::string& path, int fd, const std::string& owner);

// Touches a file until it is destroyed. If no thread can be started, it does nothing.
class Heartbeat {
 public:
  explicit Heartbeat(int fd);  // It must stay open.
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  void Beat();

  const int fd_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace sightline::landscape
