// A forked child as a part of a test.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

// Whether the child of a process with threads can go on as any process can. Clang 14's address
// sanitizer forks while another thread holds its allocator, which then stays held in the child for
// ever. Tests of such children are part of the other builds, of which the dev preset is one.
#ifdef SIGHTLINE_ADDRESS_SANITIZER
#define SIGHTLINE_CAN_FORK_BESIDE_THREADS 0
#else
#define SIGHTLINE_CAN_FORK_BESIDE_THREADS 1
#endif

namespace sightline::testing {

// Runs `body` in a forked child, which then exits with 0 unless the body ends it otherwise. Waits
// for it; its status as of waitpid, or -1 where nothing could be forked.
template <typename Body>
int InForkedChild(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

}  // namespace sightline::testing
