// Outbox: sends messages to targets, each target in a thread of its own, so that one which does not
// answer delays no other and nobody who adds a message.
//
//   Outbox outbox(targets, state.outbox);
//   SIGHTLINE_RETURN_IF_ERROR(outbox.Start());
//   outbox.Add(EventJson(event));
//   state.outbox = outbox.Content();   // And saved: a kill loses nothing.
//   for (const std::string& note : outbox.TakeNotes()) Say(note);
//
// At least once: what was sent and not yet saved as delivered is sent again after a kill, with the
// same id. One thread may call it.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/status.h"
#include "sightline/watch/notify/lane.h"
#include "sightline/watch/notify/target.h"

namespace sightline::watch {

class Outbox {
 public:
  // `content`: what Content of an earlier one returned. Messages for other targets are left out.
  Outbox(std::vector<Target> targets, const nlohmann::json& content,
         const Clock& clock = Clock::System());
  ~Outbox();  // Waits for messages that are being sent, not for others.
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  // kResourceExhausted if the system has no thread to give.
  Status Start();
  // Adds an event (EventJson) for each target. Long texts in it are cut.
  void Add(nlohmann::json event);
  // What is not delivered yet.
  nlohmann::json Content() const;
  std::vector<std::string> TakeNotes();

 private:
  struct Sender {
    explicit Sender(Target to) : target(std::move(to)), lane(target.name) {}
    Target target;
    Lane lane;  // Guarded by the mutex.
    std::thread thread;
  };

  void Send(Sender& sender);

  const Clock& clock_;
  std::string host_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::vector<std::unique_ptr<Sender>> senders_;
};

}  // namespace sightline::watch
