#include "sightline/collectors/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "sightline/base/byte_size.h"

namespace sightline {
namespace {

bool Writes(const SummaryOptions& options, Format format) {
  return std::find(options.formats.begin(), options.formats.end(), format) != options.formats.end();
}

// "1 value", "2 values".
std::string Count(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// "2nd", "11th", "21st".
std::string Ordinal(std::int64_t number) {
  const std::int64_t last = number % 100 / 10 == 1 ? 0 : number % 10;
  const char* const end = last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
  return fmt::format("{}{}", number, end);
}

std::string ResumeClause(const SummaryOptions& options, std::string_view continues_session) {
  if (!options.resume_from_step) return "";
  if (continues_session.empty()) {
    return fmt::format(", resumed from step {}, though no earlier session of this rank is there",
                       *options.resume_from_step);
  }
  return fmt::format(", resumed from step {} of session {}", *options.resume_from_step,
                     continues_session);
}

}  // namespace

std::string StartLine(const std::string& directory, const SummaryOptions& options,
                      std::string_view continues_session) {
  const std::string steps = options.collect_freq == 1
                                ? "every step"
                                : "step 1 and every " + Ordinal(options.collect_freq);
  std::string line = fmt::format("recording {} to {}", steps, directory) +
                     ResumeClause(options, continues_session);
  line += fmt::format("; look with: sightline serve {}", directory);
  if (Writes(options, Format::kTensorBoard))
    line += fmt::format(" or tensorboard --logdir {}", directory);
  return line;
}

std::string EndLine(const std::string& directory, const RecorderStats& stats, const Status& closed,
                    const Status& problem, const std::optional<NonFinite>& first_nonfinite,
                    std::int64_t thinned_steps) {
  std::string line = "recorded " + Count(stats.accepted_values - stats.left_out_values, "value");
  if (stats.left_out_values == 0) line += " in " + Count(stats.accepted_events, "event");
  line += fmt::format(" ({} in {}) in {}", FormatByteSize(stats.written_bytes),
                      Count(stats.files.size(), "file"), directory);
  if (stats.left_out_values != 0) {
    line += fmt::format("; left out {} that came after max_file_size",
                        Count(stats.left_out_values, "value"));
  }
  if (thinned_steps != 0) {
    line += fmt::format("; left out histograms, images and tensors of {}, for max_overhead",
                        Count(static_cast<std::uint64_t>(thinned_steps), "step"));
  }
  if (stats.dropped_values != 0)
    line += fmt::format("; dropped {}", Count(stats.dropped_values, "value"));
  if (stats.invalid_values != 0)
    line += fmt::format("; refused {}", Count(stats.invalid_values, "value"));
  if (stats.lost_values != 0) line += fmt::format("; lost {}", Count(stats.lost_values, "value"));
  if (first_nonfinite) line += "; first not finite: " + first_nonfinite->ToString();
  // If Close failed for the same reason, its message also says where the values are.
  const bool same = !closed.ok() && closed.message().starts_with(stats.first_error.message());
  const Status& error = !stats.first_error.ok() ? (same ? closed : stats.first_error)
                        : !problem.ok()         ? problem
                                                : closed;
  if (!error.ok()) line += "; first error: " + error.ToString();
  if (!closed.ok() && &error != &closed) line += "; at the end: " + closed.ToString();
  return line;
}

std::string RateLine(std::int64_t step, const RateChange& change, double max_overhead) {
  const std::string rate = change.every == 1
                               ? "all of their steps"
                               : fmt::format("one in {} of their steps", change.every);
  return fmt::format(
      "after step {} histograms, images and tensors are recorded at {}: recording took {:.2g} % of "
      "the time, {} max_overhead = {:.2g} %",
      step, rate, change.overhead * 100, change.lowered ? "more than" : "well within",
      max_overhead * 100);
}

void SayOnStandardError(std::string_view line) {
  // One write for each line, so that the lines of several processes do not mix. If it fails, nobody
  // is left to tell.
  const std::string text = fmt::format("sightline: {}\n", line);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace sightline
