#include "sightline/tools/cli/terminal/remove_on_signal.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <utility>

namespace sightline {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
std::atomic<const char*> path_to_remove = nullptr;
static_assert(std::atomic<const char*>::is_always_lock_free);  // A handler may read it.

// SA_RESETHAND has put the signal's own action back, which follows when the handler returns.
void OnSignal(int signal) {
  if (const char* path = path_to_remove) unlink(path);
  raise(signal);
}

// The signals that OnSignal handles now get `handler`, and so do those with the default action.
void Handle(void (*handler)(int)) {
  for (const int signal : kSignals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

RemoveOnSignal::RemoveOnSignal(std::string path) : path_(std::move(path)) {
  path_to_remove = path_.c_str();
  Handle(OnSignal);
}

RemoveOnSignal::~RemoveOnSignal() {
  Handle(SIG_DFL);
  path_to_remove = nullptr;
}

}  // namespace sightline
