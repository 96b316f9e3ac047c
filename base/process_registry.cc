#include "sightline/base/process_registry.h"

#include <pthread.h>

#include <atomic>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace sightline {
namespace {

std::atomic<std::uint32_t> generation{1};

struct Registry {
  // Held while CloseAll runs, so that no recorder is destroyed under it; before `mutex`.
  std::recursive_mutex closing;
  std::mutex mutex;
  std::map<const void*, ProcessRegistry::Callbacks> recorders;
};

// Never destroyed: recorders may close during exit.
Registry& Global() {
  static auto* registry = new Registry();
  return *registry;
}

void BeforeFork() { Global().mutex.lock(); }
void AfterForkInParent() { Global().mutex.unlock(); }

void AfterForkInChild() {
  generation.fetch_add(1, std::memory_order_relaxed);
  for (auto& [key, callbacks] : Global().recorders) callbacks.in_forked_child();
  Global().recorders.clear();
  Global().mutex.unlock();
}

}  // namespace

std::uint32_t ProcessGeneration() { return generation.load(std::memory_order_relaxed); }

void ProcessRegistry::Add(const void* key, Callbacks callbacks) {
  static const int registered = pthread_atfork(BeforeFork, AfterForkInParent, AfterForkInChild);
  (void)registered;  // Fails only without memory; then children are told apart no more, as without
                     // us.
  const std::lock_guard lock(Global().mutex);
  Global().recorders.emplace(key, std::move(callbacks));
}

void ProcessRegistry::Remove(const void* key) {
  const std::lock_guard closing(Global().closing);
  const std::lock_guard lock(Global().mutex);
  Global().recorders.erase(key);
}

void ProcessRegistry::CloseAll() {
  const std::lock_guard closing(Global().closing);
  std::vector<std::function<void()>> closers;
  {
    const std::lock_guard lock(Global().mutex);
    for (auto& [key, callbacks] : Global().recorders) closers.push_back(callbacks.on_sigterm);
  }
  for (const auto& close : closers) close();
}

}  // namespace sightline
