#include "sightline/base/background_thread.h"

#include <pthread.h>
#include <sched.h>

#include <csignal>
#include <string>
#include <system_error>
#include <utility>

namespace sightline {
namespace {

// Blocks every signal for the calling thread while it lives.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

Result<std::thread> StartBackgroundThread(const std::string& name, std::function<void()> run) {
  // A new thread inherits the mask, so there is no instant in which it could take a signal.
  const BlockedSignals blocked;
  try {
    return std::thread([name, run = std::move(run)] {
      pthread_setname_np(pthread_self(), name.c_str());
      const sched_param normal{};
      // If the system forbids it, the thread runs under the usual policy.
      (void)pthread_setschedparam(pthread_self(), SCHED_BATCH, &normal);
      run();
    });
  } catch (const std::system_error& error) {
    return Error(StatusCode::kResourceExhausted,
                 "cannot start the thread " + name + ": " + error.what());
  }
}

}  // namespace sightline
