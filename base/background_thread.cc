#include "sightline/base/background_thread.h"

#include <pthread.h>
#include <sched.h>

#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "sightline/base/no_memory.h"

namespace sightline {

Result<std::thread> StartBackgroundThread(const std::string& name, std::function<void()> run) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // A new thread inherits the mask, so there is no instant in which it could take a signal.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Result<std::thread> thread = std::thread();
  try {
    thread = std::thread([name, run = std::move(run)] {
      pthread_setname_np(pthread_self(), name.c_str());
      const sched_param normal{};
      // A system that forbids it is none the worse.
      (void)pthread_setschedparam(pthread_self(), SCHED_BATCH, &normal);
      run();
    });
  } catch (const std::bad_alloc&) {
    thread = tl::unexpected(NoMemory());
  } catch (const std::exception& error) {
    thread = Error(StatusCode::kResourceExhausted,
                   "cannot start the thread " + name + ": " + error.what());
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace sightline
