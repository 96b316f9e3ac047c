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
  struct Callbacks {
    std::function<void()> in_forked_child;  // Async-signal-safe: only descriptors may be closed.
    std::function<void()> on_sigterm;       // Closes the recorder.
  };

  // `key` identifies the recorder until Remove.
  static void Add(const void* key, Callbacks callbacks);
  static void Remove(const void* key);
  // Calls every on_sigterm.
  static void CloseAll();
};

}  // namespace sightline
