#include "sightline/tools/cli/terminal/interruption.h"

#include <array>
#include <atomic>
#include <csignal>

namespace sightline {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
std::atomic<int> received = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // A handler may write it.

void OnSignal(int signal) { received = signal; }

void Handle(void (*handler)(int)) {
  for (const int signal : kSignals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

Interruption::Interruption() {
  received = 0;
  Handle(OnSignal);
}

Interruption::~Interruption() {
  Handle(SIG_DFL);
  if (const int signal = received.exchange(0); signal != 0) raise(signal);
}

bool Interruption::requested() { return received != 0; }

}  // namespace sightline
