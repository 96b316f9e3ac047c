#include "sightline/watch/notify/lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::watch {
namespace {

constexpr std::size_t kMost = 1000;
constexpr double kDay = 86400;
constexpr double kFirstPause = 1;      // Doubled with each failure,
constexpr double kLongestPause = 600;  // up to this.

}  // namespace

void Lane::Add(nlohmann::json event, double now) {
  Waiting waiting{std::move(event), now + kDay};
  if (waiting_.size() == kMost) return Drop(waiting, "1,000 others wait");
  waiting_.push_back(std::move(waiting));
}

void Lane::Drop(const Waiting& waiting, std::string_view why) {
  notes_.push_back(fmt::format("{}: a message was dropped, since {}: {} of {}", name_, why,
                               waiting.event.value("rule", ""), waiting.event.value("run", "")));
}

std::optional<nlohmann::json> Lane::Due(double now) {
  while (!waiting_.empty() && waiting_.front().until <= now) {
    Drop(waiting_.front(), "it could not be delivered for a day");
    waiting_.pop_front();
  }
  if (waiting_.empty() || now < next_) return std::nullopt;
  return waiting_.front().event;
}

std::optional<double> Lane::next() const {
  if (waiting_.empty()) return std::nullopt;
  return next_;
}

void Lane::Tried(const Delivery& delivery, double now) {
  if (delivery.failure.empty()) {
    if (failures_ > 0) notes_.push_back(name_ + ": messages are delivered again");
    waiting_.pop_front();
    failures_ = 0;
    last_failure_.clear();
    next_ = now;
    return;
  }
  const double pause = std::min(kLongestPause, std::ldexp(kFirstPause, std::min(failures_, 10)));
  ++failures_;
  next_ = now + std::max(pause, delivery.retry_after);
  if (delivery.failure == last_failure_) return;
  last_failure_ = delivery.failure;
  notes_.push_back(
      fmt::format("{}: not delivered, and tried again for a day: {}", name_, delivery.failure));
}

nlohmann::json Lane::Content() const {
  nlohmann::json content = nlohmann::json::array();
  for (const Waiting& one : waiting_)
    content.push_back({{"target", name_}, {"until", one.until}, {"event", one.event}});
  return content;
}

void Lane::Restore(const nlohmann::json& content) {
  if (!content.is_array()) return;
  for (const auto& one : content) {
    const bool good = one.is_object() && one.contains("event") && one["event"].is_object() &&
                      one.contains("until") && one["until"].is_number() && one.contains("target") &&
                      one["target"] == name_;
    if (good && waiting_.size() < kMost)
      waiting_.push_back({one["event"], one["until"].get<double>()});
  }
}

}  // namespace sightline::watch
