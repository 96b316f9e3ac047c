#include "sightline/base/process_registry.h"

#include <pthread.h>

#include <atomic>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace sightline {
namespace {

std::atomic<std::uint32_t> generation{1};

struct Callbacks {
  std::function<void()> in_forked_child;
  std::function<void()> on_sigterm;
};

struct Registry {
  // Held while CloseAll runs, so that no recorder is destroyed under it; before `mutex`.
  std::mutex closing;
  std::mutex mutex;
  std::map<const void*, Callbacks> recorders;
};

// Never destroyed: recorders may close during exit.
Registry& Global() {
  static auto* registry = new Registry();
  return *registry;
}

// `closing` is not taken: CloseAll may take its time, and a fork is not to wait for it.
void BeforeFork() { Global().mutex.lock(); }
void AfterForkInParent() { Global().mutex.unlock(); }

void AfterForkInChild() {
  generation.fetch_add(1, std::memory_order_relaxed);
  for (auto& [key, callbacks] : Global().recorders) {
    if (callbacks.in_forked_child) callbacks.in_forked_child();
  }
  Global().recorders.clear();
  // A thread that held it is not in this process, and nobody else can wait for it.
  new (&Global().closing) std::mutex();
  Global().mutex.unlock();
}

}  // namespace

std::uint32_t ProcessGeneration() { return generation.load(std::memory_order_relaxed); }

ProcessRegistry::NoFork::NoFork() {
  static const int registered = pthread_atfork(BeforeFork, AfterForkInParent, AfterForkInChild);
  (void)registered;  // Fails only without memory; then children are told apart no more, as without
                     // us.
  Global().mutex.lock();
}

ProcessRegistry::NoFork::~NoFork() { Global().mutex.unlock(); }

void ProcessRegistry::NoFork::Add(const void* key, std::function<void()> in_forked_child) {
  Global().recorders[key].in_forked_child = std::move(in_forked_child);
}

void ProcessRegistry::SetOnSigterm(const void* key, std::function<void()> on_sigterm) {
  const NoFork no_fork;
  Global().recorders[key].on_sigterm = std::move(on_sigterm);
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
    for (auto& [key, callbacks] : Global().recorders) {
      if (callbacks.on_sigterm) closers.push_back(callbacks.on_sigterm);
    }
  }
  for (const auto& close : closers) close();
}

}  // namespace sightline
