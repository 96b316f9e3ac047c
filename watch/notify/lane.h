// Lane: the messages that one target has not received yet, in their order, and when the first of
// them is tried again. It sends nothing itself, and knows no time but what it is told. One thread.
#pragma once

#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/watch/notify/delivery.h"

namespace sightline::watch {

class Lane {
 public:
  // `name`: of the target.
  explicit Lane(std::string name) : name_(std::move(name)) {}

  // Adds a message at the time `now`, in seconds since the Unix epoch. It is dropped a day later,
  // or at once if 1,000 others wait.
  void Add(nlohmann::json event, double now);

  // The message to be tried now; none if there is none, or if it is too early.
  std::optional<nlohmann::json> Due(double now);
  // When one is due: seconds since the Unix epoch; none without a message.
  std::optional<double> next() const;
  // What came of trying the message that was due.
  void Tried(const Delivery& delivery, double now);

  std::size_t size() const { return waiting_.size(); }
  // What is to be said of the target, since the last call: that messages do not arrive and why,
  // that they arrive again, or that one was dropped.
  std::vector<std::string> TakeNotes() { return std::exchange(notes_, {}); }

  // All messages, to be kept and restored.
  nlohmann::json Content() const;
  // Adds what Content returned. What is not of that form, or of another target, is left out.
  void Restore(const nlohmann::json& content);

 private:
  struct Waiting {
    nlohmann::json event;
    double until = 0;  // It is dropped then.
  };

  void Drop(const Waiting& waiting, std::string_view why);

  std::string name_;
  std::deque<Waiting> waiting_;
  double next_ = 0;   // The first is not tried before.
  int failures_ = 0;  // In sequence.
  std::string last_failure_;
  std::vector<std::string> notes_;
};

}  // namespace sightline::watch
