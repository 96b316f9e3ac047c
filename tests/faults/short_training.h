// A short training for tests of faults: 24 recording calls, i = 0 to 23, with every kind of file
// and of value. The values of call i have the step i.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

struct ShortTraining {
  static constexpr int kCalls = 24;

  static RecorderOptions Options(FileSystem& files) {
    RecorderOptions options;
    options.formats = {Format::kMindSpore, Format::kTensorBoard};
    options.export_npy = true;
    options.max_file_size = 2000;
    options.writing.buffer_bytes = std::size_t{1} << 20;
    options.writing.flush_interval = std::chrono::hours(1);
    options.writing.min_free_disk_bytes = 0;
    options.writing.hostname = "host";
    options.writing.file_system = &files;
    return options;
  }

  // A tensor that is larger than the buffer, so that its call waits until it is written.
  static bool IsLent(int i) { return i == 12; }

  static bool IsLineage(int i) { return !IsLent(i) && i % 4 == 2; }

  static Outcome Record(Recorder& recorder, int i) {
    static constexpr std::int64_t kLentShape[] = {std::int64_t{1} << 18};
    static constexpr std::int64_t kShape[] = {100};
    const auto elements = static_cast<std::size_t>(IsLent(i) ? kLentShape[0] : kShape[0]);
    const std::vector<float> floats(elements, static_cast<float>(i));
    if (IsLent(i)) return recorder.AddTensor("lent", i, View(floats.data(), kLentShape));
    switch (i % 4) {
      case 1:
        return recorder.AddTensor("tensor", i, View(floats.data(), kShape));
      case 2:  // Of an evaluation lineage field 2, a string.
        return recorder.AddMessage("", i, ValueKind::kEvaluationLineage, "\x12\x0c{\"acc\": 0.5}");
      case 3: {
        const TaggedValue values[] = {{Tag("a"), Value::Scalar(i)},
                                      {Tag("b"), Value::Histogram(View(floats.data(), kShape))}};
        return recorder.Record(i, values);
      }
      default:
        return recorder.AddScalar("loss", i, i);
    }
  }

  // How many values of call i the lineage, or another file, has.
  static std::size_t ValuesOf(int i, bool lineage) {
    if (IsLineage(i) != lineage) return 0;
    return !IsLent(i) && i % 4 == 3 ? 2 : 1;
  }

  // Of every call i for which kept(i) holds all values are in the files below `directory`, of every
  // other one some, and none of them twice.
  template <typename Kept>
  static void ExpectKept(const std::string& directory, const Kept& kept) {
    const RecordedRun run = ReadRun(directory);
    const auto check = [&](const auto& files, bool lineage, const char* where) {
      std::map<std::int64_t, std::size_t> counts;
      for (const auto& file : files) {
        for (const auto& event : file.events) {
          for (const auto& value : event) {
            const bool is_lineage = value.kind == "lineage" || value.kind == "text";
            counts[value.step] += is_lineage == lineage ? 1 : 0;
            if (value.kind == "histogram") {
              EXPECT_EQ(value.text, "100") << where << ": a histogram of other elements";
            }
          }
        }
      }
      for (int i = 0; i < kCalls; ++i) {
        EXPECT_LE(counts[i], ValuesOf(i, lineage)) << where << ": call " << i << " twice";
        if (kept(i)) {
          EXPECT_GE(counts[i], ValuesOf(i, lineage)) << where << ": call " << i << " is lost";
        }
      }
    };
    check(run.mindspore, false, "summary");
    check(run.lineage, true, "lineage");
    check(run.tensorboard, false, "TensorBoard");
    check(run.tensorboard, true, "TensorBoard's text");
  }
};

}  // namespace sightline::testing
