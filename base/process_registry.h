// ProcessRegistry: the open recorders of this process, for what concerns all of them: fork and
// SIGTERM.
#pragma once

#include <cstdint>
#include <functional>

namespace sightline {

// Raised in every forked child: a recorder whose generation differs is its parent's. Cheap.
std::uint32_t ProcessGeneration();

class ProcessRegistry {
 public:
  // While one lives, no other thread forks: what a child must not keep (a journal's locked
  // descriptor) is made and added in one step. Keep it short, as every fork waits.
  class NoFork {
   public:
    NoFork();
    ~NoFork();
    NoFork(const NoFork&) = delete;
    NoFork& operator=(const NoFork&) = delete;

    // `key` identifies it until Remove. `in_forked_child` is async-signal-safe: only
    // descriptors may be closed there.
    static void Add(const void* key, std::function<void()> in_forked_child);
  };

  // `on_sigterm` closes the recorder; what it calls may not call Remove.
  static void SetOnSigterm(const void* key, std::function<void()> on_sigterm);
  // Waits while CloseAll is at work: the recorder may be destroyed then.
  static void Remove(const void* key);
  // Calls every on_sigterm.
  static void CloseAll();
};

}  // namespace sightline
