#include "sightline/profiler/record/names.h"

#include <deque>
#include <mutex>
#include <unordered_map>

namespace sightline::profiler {
namespace {

constexpr std::size_t kMostNames = 1'000'000;

struct Names {
  std::mutex mutex;
  std::deque<std::string> texts = {""};  // By number; a deque, so that the keys below stay.
  std::unordered_map<std::string_view, EventName> numbers;

  EventName Add(std::string_view text) {
    texts.emplace_back(text);
    const auto number = static_cast<EventName>(texts.size() - 1);
    numbers.emplace(texts.back(), number);
    return number;
  }
};

// Never destroyed: threads may record during exit.
Names& Global() {
  static auto* names = new Names();
  return *names;
}

}  // namespace

EventName InternName(std::string_view text) {
  Names& names = Global();
  const std::lock_guard lock(names.mutex);
  if (const auto known = names.numbers.find(text); known != names.numbers.end()) {
    return known->second;
  }
  if (names.texts.size() < kMostNames) return names.Add(text);
  constexpr std::string_view kTooMany = "(too many names)";
  const auto known = names.numbers.find(kTooMany);
  return known != names.numbers.end() ? known->second : names.Add(kTooMany);
}

std::string NameText(EventName name) {
  Names& names = Global();
  const std::lock_guard lock(names.mutex);
  return name < names.texts.size() ? names.texts[name] : std::string();
}

EventName NameSite::Ask() {
  const EventName id = InternName(text_);
  // Whoever sees an event with this name, also another thread's, sees what InternName kept.
  name_.store(id, std::memory_order_release);
  return id;
}

namespace internal {
void LockNames() { Global().mutex.lock(); }
void UnlockNames() { Global().mutex.unlock(); }
}  // namespace internal

}  // namespace sightline::profiler
