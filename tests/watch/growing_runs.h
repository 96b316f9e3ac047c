// Runs that a test lets grow in memory, and a watch of them whose clock the test moves.
//
//   GrowingRuns runs;
//   RunWatch watch = runs.Watch({"nan"});
//   runs.Add("a", "loss", 1, 0.5);
//   EXPECT_THAT(runs.Look(watch), IsEmpty());
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sightline/proto/tensorboard.pb.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/support/support.h"
#include "sightline/watch/run_watch.h"

namespace sightline::testing {

// Files in memory whose times are those of a test's clock.
class TimedFiles final : public MemoryFileSystem {
 public:
  explicit TimedFiles(const ManualClock& clock) : clock_(clock) {}

  void Append(const std::string& path, const std::string& bytes) {
    Put(path, Get(path) + bytes);
    times_[path] = clock_.seconds;
  }
  Result<FileInfo> Stat(const std::string& path) override {
    auto info = MemoryFileSystem::Stat(path);
    const auto time = times_.find(path);
    if (info && time != times_.end()) info->modified_seconds = time->second;
    return info;
  }

 private:
  const ManualClock& clock_;
  std::map<std::string, double> times_;
};

class GrowingRuns {
 public:
  // A value of a run of another program, recorded now. It is in the file after the next Look.
  void Add(const std::string& run, const std::string& tag, std::int64_t step, double value) {
    tensorboard::Event event;
    event.set_wall_time(clock.seconds);
    event.set_step(step);
    auto* added = event.mutable_summary()->add_value();
    added->set_tag(tag);
    added->set_simple_value(static_cast<float>(value));
    pending_[run] += FrameRecord(event.SerializeAsString());
  }
  // The same of a rank.
  void Add(const std::string& run, std::int32_t rank, const std::string& tag, std::int64_t step,
           double value) {
    Add(run + "/rank_" + std::to_string(rank), tag, step, value);
  }

  watch::RunWatch Watch(const std::vector<std::string>& rules, const std::string& where = "") {
    watch::WatchOptions options{
        .roots = {"root"}, .rules = {}, .file_system = &files, .clock = &clock};
    for (const std::string& text : rules) options.rules.push_back(*watch::ParseRule(text));
    if (!where.empty()) options.where = *Query::Parse(where);
    EXPECT_THAT(files.CreateDirectories("root"), IsOk());
    return watch::RunWatch(std::move(options), state);
  }

  // Writes what was added, moves the clock on by a second, and looks.
  std::vector<watch::WatchEvent> Events(watch::RunWatch& watch) {
    Write();
    clock.seconds += 1;
    auto events = watch.Poll();
    EXPECT_THAT(events, IsOk());
    return events.value_or(std::vector<watch::WatchEvent>());
  }
  // "run rule: text" for each, with "over " in front of those that are over.
  std::vector<std::string> Look(watch::RunWatch& watch) {
    std::vector<std::string> lines;
    for (const watch::WatchEvent& event : Events(watch)) {
      lines.push_back((event.over ? "over " : "") + event.run + " " + event.rule + ": " +
                      event.cause.text);
    }
    return lines;
  }
  void Write() {
    for (const auto& [run, bytes] : pending_) {
      const std::string path = "root/" + run + "/events.out.tfevents.1.vm";
      files.Append(path, bytes);
    }
    pending_.clear();
  }

  ManualClock clock{1'000'000'000};
  TimedFiles files{clock};
  watch::WatchState state;

 private:
  std::map<std::string, std::string> pending_;
};

}  // namespace sightline::testing
