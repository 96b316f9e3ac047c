#include "sightline/watch/notify/outbox.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "sightline/base/background_thread.h"
#include "sightline/base/system/host_name.h"
#include "sightline/base/utf8.h"

namespace sightline::watch {
namespace {

// Bytes of a name or a text: whoever recorded a run chose them, of any length.
constexpr std::size_t kMostText = 1000;

}  // namespace

Outbox::Outbox(std::vector<Target> targets, const nlohmann::json& content, const Clock& clock)
    : clock_(clock), host_(HostName()) {
  senders_.reserve(targets.size());
  for (Target& target : targets) {
    senders_.push_back(std::make_unique<Sender>(std::move(target)));
    senders_.back()->lane.Restore(content);
  }
}

Outbox::~Outbox() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (const auto& sender : senders_)
    if (sender->thread.joinable()) sender->thread.join();
}

Status Outbox::Start() {
  for (const auto& sender : senders_) {
    auto thread = StartBackgroundThread("sl-notify", [this, one = sender.get()] { Send(*one); });
    if (!thread) return thread.error();
    sender->thread = *std::move(thread);
  }
  return {};
}

void Outbox::Add(nlohmann::json event) {
  for (auto& [key, value] : event.items())
    if (value.is_string()) value = ToUtf8(value.get<std::string>(), kMostText);
  event["host"] = host_;
  const std::lock_guard lock(mutex_);
  for (const auto& sender : senders_) sender->lane.Add(event, clock_.WallSeconds());
  wake_.notify_all();
}

nlohmann::json Outbox::Content() const {
  nlohmann::json content = nlohmann::json::array();
  const std::lock_guard lock(mutex_);
  for (const auto& sender : senders_)
    for (auto& one : sender->lane.Content()) content.push_back(std::move(one));
  return content;
}

std::vector<std::string> Outbox::TakeNotes() {
  std::vector<std::string> notes;
  const std::lock_guard lock(mutex_);
  for (const auto& sender : senders_)
    for (std::string& note : sender->lane.TakeNotes()) notes.push_back(std::move(note));
  return notes;
}

void Outbox::Send(Sender& sender) {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const double now = clock_.WallSeconds();
    if (const auto event = sender.lane.Due(now)) {
      lock.unlock();
      const Delivery delivery = Deliver(sender.target, *event, clock_);
      lock.lock();
      sender.lane.Tried(delivery, clock_.WallSeconds());
    } else if (const auto next = sender.lane.next()) {
      wake_.wait_for(lock, std::chrono::duration<double>(std::max(0.0, *next - now)));
    } else {
      wake_.wait(lock);
    }
  }
}

}  // namespace sightline::watch
