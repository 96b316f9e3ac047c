#include "sightline/base/background_thread.h"

#include <pthread.h>
#include <sched.h>

#include <csignal>
#include <string>
#include <utility>

namespace sightline {

std::thread StartBackgroundThread(std::string name, std::function<void()> run) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // A new thread inherits the mask, so there is no instant in which it could take a signal.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread([name = std::move(name), run = std::move(run)] {
    pthread_setname_np(pthread_self(), name.c_str());
    const sched_param normal{};
    // A system that forbids it is none the worse.
    (void)pthread_setschedparam(pthread_self(), SCHED_BATCH, &normal);
    run();
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace sightline
