#include "sightline/recorder/background_thread.h"

#include <pthread.h>

#include <csignal>
#include <utility>

namespace sightline {

std::thread StartBackgroundThread(const char* name, std::function<void()> run) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // A new thread inherits the mask, so there is no instant in which it could take a signal.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(run));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_setname_np(thread.native_handle(), name);
  return thread;
}

}  // namespace sightline
