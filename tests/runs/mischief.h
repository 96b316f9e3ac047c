// What any writer, and anybody else, may do to a run's files.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

class Mischief {
 public:
  Mischief(MemoryFileSystem& fs, std::uint64_t seed) : fs_(fs), random_(seed) {}

  void Act() {
    const std::string path = Path();
    const std::string bytes = fs_.Get(path);
    switch (random_() % 12) {
      case 0:  // Torn, or cut by a recovery.
        fs_.Put(path, bytes.substr(
                          0, bytes.size() - std::min<std::size_t>(bytes.size(), random_() % 90)));
        return;
      case 1:
        fs_.Put(path, Records(path));
        return;
      case 2:
        fs_.Put("run/temporary", Records(path));
        EXPECT_THAT(fs_.Rename("run/temporary", path), IsOk());
        return;
      case 3:
        (void)fs_.Remove(path).ok();
        return;
      case 4:  // A block that was never written.
        fs_.Put(path, bytes + std::string(random_() % 60, '\0'));
        return;
      case 5: {  // A record that is not complete yet, and may never be.
        const std::string record = Record(path);
        fs_.Put(path, bytes + record.substr(0, random_() % record.size()));
        return;
      }
      case 6:
        if (!half_.empty()) fs_.Put(half_path_, fs_.Get(half_path_) + std::exchange(half_, ""));
        return;
      case 7: {
        const std::string record = Record(path);
        const std::size_t cut = random_() % record.size();
        half_ = record.substr(cut);
        half_path_ = path;
        fs_.Put(path, bytes + record.substr(0, cut));
        return;
      }
      default:
        fs_.Put(path, bytes + Records(path));
    }
  }

 private:
  std::string Path() {
    constexpr const char* kNames[] = {"events.out.events.summary.1.0.vm_MS",
                                      "events.out.events.summary.2.0.vm_MS",
                                      "events.out.events.summary.1.3.vm_MS",
                                      "events.out.events.summary.1.0.vm_lineage",
                                      "events.out.tfevents.1.vm",
                                      "events.out.tfevents.3.vm"};
    return std::string("run/") + kNames[random_() % std::size(kNames)];
  }

  std::string Record(const std::string& path) {
    if (path.ends_with("_lineage")) return Lineage("net" + std::to_string(random_() % 3), ++step_);
    const std::string tag = "tag" + std::to_string(random_() % 3);
    // Steps go on as a rule.
    const auto step = random_() % 8 == 0 ? static_cast<std::int64_t>(random_() % 40) : ++step_;
    const auto value = static_cast<float>(random_() % 1000);
    if (path.ends_with("_MS"))
      return random_() % 5 == 0 ? Tensor(tag, step) : MindSporeScalar(tag, step, value);
    if (random_() % 12 == 0) return TensorBoardStart(step - 3);
    return TensorBoardScalar(tag, step, value);
  }

  std::string Records(const std::string& path) {
    std::string bytes;
    for (std::uint64_t i = random_() % 4; i > 0; --i) bytes += Record(path);
    return bytes;
  }

  MemoryFileSystem& fs_;
  std::mt19937_64 random_;
  std::int64_t step_ = 0;
  std::string half_;
  std::string half_path_;
};

}  // namespace sightline::testing
