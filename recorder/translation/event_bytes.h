// EventBytes: makes an event of TensorBoard's dialect of values that another recorder wrote.
// Numbers stay float64.
//
//   EventBytes event;
//   event.AddScalar("loss", 0.1);
//   const std::string bytes = event.Take(wall_time, step);
//
// Field numbers: proto/tensorboard.proto. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sightline {

class EventBytes {
 public:
  void AddScalar(std::string_view tag, double value);
  void AddText(std::string_view tag, std::string_view text);
  // REQUIRES: edges.size() == counts.size() + 1.
  void AddHistogram(std::string_view tag, std::span<const double> edges,
                    std::span<const double> counts);

  // The event with these values; without any, only its step and time. A time of 0 is none.
  std::string Take(double wall_time, std::int64_t step);

 private:
  void AddValue(std::string_view tag, std::string_view plugin, std::string_view tensor);

  std::string values_;  // Fields of the summary.
};

}  // namespace sightline
