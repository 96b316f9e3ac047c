// Profiles that the real programs wrote: what is in them, counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "sightline/profiler/analysis/memory.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using testing::ImportCorpus;

struct Figures {
  std::uint64_t events = 0;
  std::uint64_t not_understood = 0;
  std::size_t spans = 0;
  std::int64_t durations = 0;  // Sum, nanoseconds.
};

Figures FiguresOf(const Profile& profile) {
  Figures figures;
  figures.events = profile.model.events_in;
  figures.spans = profile.model.spans.size();
  for (const std::int64_t duration : profile.model.spans.duration) figures.durations += duration;
  for (const NotUnderstood& one : profile.model.not_understood) figures.not_understood += one.count;
  EXPECT_EQ(figures.events, profile.model.events_modelled + figures.not_understood);
  for (const SourceFile& file : profile.files) EXPECT_TRUE(file.status.ok()) << file.path;
  return figures;
}

TEST(ProfileCorpus, MindSpore27Folder) {
  const Profile profile = ImportCorpus("mindspore_2_7/dynamic_ascend_ms");
  EXPECT_EQ(profile.format, SourceFormat::kMindSpore);
  const Figures figures = FiguresOf(profile);
  EXPECT_EQ(figures.events, 299 + 129 + 129);
  EXPECT_EQ(figures.not_understood, 0);
  EXPECT_EQ(figures.spans, 280);
  EXPECT_EQ(figures.durations, 903215740);
  EXPECT_EQ(profile.operator_source, OperatorSource::kTimestamps);
  EXPECT_EQ(profile.operators.size(), 43);
}

TEST(ProfileCorpus, MindSpore27MemoryRecord) {
  const Profile profile = ImportCorpus("mindspore_2_7/memory_ascend_ms");
  const auto curves = FindMemoryCurves(profile);
  ASSERT_EQ(curves.size(), 2);
  EXPECT_EQ(curves[0].name, "memory allocated");
  EXPECT_EQ(curves[1].peak, 1073741824);
  EXPECT_EQ(FiguresOf(profile).not_understood, 0);
}

TEST(ProfileCorpus, MindSpore20Operators) {
  const Profile profile = ImportCorpus("mindspore_2_0/ctor");
  EXPECT_EQ(profile.format, SourceFormat::kMindSporeOld);
  EXPECT_EQ(profile.rank, 0);
  const Figures figures = FiguresOf(profile);
  EXPECT_EQ(figures.events, 740);
  EXPECT_EQ(figures.spans, 740) << "the timeline is not in this folder: the timestamps are it";
  EXPECT_EQ(figures.durations, 244035402) << "cpu_timeline_summary_0.json: 244.035 ms";
  EXPECT_EQ(profile.operators.size(), 37) << "and num_of_ops: 37";
}

TEST(ProfileCorpus, PyTorchTrace) {
  const Profile profile = ImportCorpus("torch/plain.pt.trace.json.gz");
  const Figures figures = FiguresOf(profile);
  EXPECT_EQ(figures.events, 1061);
  EXPECT_EQ(figures.not_understood, 0);
  EXPECT_EQ(figures.spans, 1051);
  EXPECT_EQ(figures.durations, 154521000);
}

TEST(ProfileCorpus, XlaTrace) {
  const Profile profile = ImportCorpus("xla");
  const Figures figures = FiguresOf(profile);
  EXPECT_EQ(figures.events, 129);
  EXPECT_EQ(figures.not_understood, 1) << "an empty object ends its array";
  EXPECT_EQ(figures.spans, 122);
  EXPECT_EQ(figures.durations, 4125816);
}

TEST(ProfileCorpus, StepTrace) {
  const Profile profile = ImportCorpus("step_trace/async");
  EXPECT_EQ(FiguresOf(profile).events, 6);
  EXPECT_EQ(profile.steps.size(), 5);
  EXPECT_TRUE(profile.step_average.has_value());
  EXPECT_EQ(profile.forward_operator, "Default/Conv2D-op1");
}

TEST(ProfileCorpus, DataPipeline) {
  const Profile profile = ImportCorpus("mindspore_2_0/minddata_slowgen");
  EXPECT_EQ(FiguresOf(profile).events, 7 + 7 + 600);
  EXPECT_EQ(profile.data.operators.size(), 7);
  EXPECT_EQ(profile.data.batches.size(), 150);
}

// Every length of a real file: no crash, and what is lost is listed.
TEST(ProfileCorpus, FilesCutAtAnyPlaceAreReadUpToThere) {
  const std::string text = testing::ReadFileOrDie(testing::CorpusPath(
      "profiler/mindspore_2_7/memory_ascend_ms/ASCEND_PROFILER_OUTPUT/trace_view.json"));
  std::size_t last = 0;
  for (std::size_t size = 100; size < text.size(); size += 97) {
    const auto profile = testing::Import("trace_view.json", text.substr(0, size));
    if (!profile) continue;
    EXPECT_GE(profile->model.spans.size(), last) << size;
    last = profile->model.spans.size();
  }
  EXPECT_GT(last, 50);
}

}  // namespace
}  // namespace sightline::profiler
