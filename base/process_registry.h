// ProcessRegistry: the open recorders of this process, which must all act on fork and SIGTERM.
#pragma once

#include <cstdint>
#include <functional>

namespace sightline {

// Every forked child raises this number, so a recorder of another generation is its parent's.
// Cheap.
std::uint32_t ProcessGeneration();

class ProcessRegistry {
 public:
  // While one exists, no other thread can fork. So what a child must not keep (a journal's locked
  // descriptor) is made and added in one step. Keep it short: every fork waits for it.
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

  // `on_sigterm` closes the recorder. It must not call Remove.
  static void SetOnSigterm(const void* key, std::function<void()> on_sigterm);
  // Waits until no CloseAll is running; after that the recorder may be destroyed.
  static void Remove(const void* key);
  // Calls every on_sigterm.
  static void CloseAll();
};

}  // namespace sightline
