// Lineage from texts, as the programs write them (tests/corpus/settings), whatever way the run is
// read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sightline/runs/model/run.h"
#include "sightline/runs/query/query.h"
#include "sightline/tests/runs/reading_ways.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using testing::FrameRecord;
using testing::IsOk;
using testing::kLineageName;
using testing::kTensorBoardName;

std::shared_ptr<const Run> OpenCorpus(const std::string& program) {
  auto run = Run::Open(CorpusPath("settings/" + program));
  EXPECT_THAT(run, IsOk());
  return *std::move(run);
}

bool Holds(const Run& run, const std::string& query) { return Query::Parse(query)->Holds(run); }

TEST(RunLineageTest, ReadsTheConfigurationOfMindFormers) {
  const auto run = OpenCorpus("mindformers");
  for (const char* query :
       {"model.model_config.num_layers == 32", "model.model_config.rms_norm_eps == 1e-05",
        "model.model_config.compute_dtype == \"<class 'numpy.float16'>\"", "seed == 42",
        "lr_schedule.learning_rate == 1e-05", "run_mode == 'train'", "use_parallel == 'true'",
        "train_dataset.data_loader.dataset_dir == \"/data/wiki's best\"",
        "callbacks.1.type == 'CheckpointMonitor'", "parallel_config.data_parallel == 8",
        "moe_config.hot_expert_num == 'None'", "optimizer.betas == '[0.9, 0.95]'"})
    EXPECT_TRUE(Holds(*run, query)) << query;
}

TEST(RunLineageTest, ReadsTheArgumentsOfMegatron) {
  const auto run = OpenCorpus("megatron");
  for (const char* query : {"num_layers == 24", "lr == 0.00015", "lr_decay_style == 'cosine'",
                            "split == '949,50,1'", "fp16 == 'true'"})
    EXPECT_TRUE(Holds(*run, query)) << query;
}

TEST(RunLineageTest, ReadsTheObjectsOfTransformersAndNoOtherText) {
  const auto run = OpenCorpus("transformers");
  EXPECT_TRUE(Holds(*run, "args.learning_rate == 5e-05 and model_config.id2label.1 == 'positive'"));
  EXPECT_FALSE(run->lineage().contains("note"));
}

TEST(RunLineageTest, TheTextsStayValuesOfTheRun) {
  const auto run = OpenCorpus("mindformers");
  EXPECT_NE(run->Find(ContentKind::kText, "model/text_summary"), nullptr);
}

TEST(RunLineageTest, IsTheSameFollowedAndFromTheIndex) {
  for (const char* program : {"mindformers", "megatron", "transformers"}) {
    std::vector<testing::GrammarFile> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(CorpusPath(std::string("settings/") + program)))
      files.push_back({entry.path().filename(), testing::ReadFileOrDie(entry.path())});
    const testing::TempDir folder;
    const std::string bytes(32, '\7');
    testing::Choices choices(bytes);
    EXPECT_EQ(DifferenceOfWays(files, choices, folder.path() + "/index"), "") << program;
  }
}

std::string TextEvent(const std::string& tag, std::int64_t step, const std::string& text) {
  tensorboard::Event event;
  event.set_wall_time(1);
  event.set_step(step);
  auto* value = event.mutable_summary()->add_value();
  value->set_tag(tag);
  value->mutable_metadata()->mutable_plugin_data()->set_plugin_name("text");
  value->mutable_tensor()->set_dtype(tensorboard::DT_STRING);
  value->mutable_tensor()->add_string_val(text);
  return FrameRecord(event.SerializeAsString());
}

TEST(RunLineageTest, MindSporesLineageCountsBeforeTexts) {
  testing::MemoryFileSystem fs;
  fs.Put(std::string("run/") + kLineageName, testing::Lineage("LeNet", 1));
  fs.Put(std::string("run/") + kTensorBoardName,
         TextEvent("network", 0, "other") + TextEvent("args", 0, R"({"lr": 0.1})"));
  const auto run = Run::Open("run", {.file_system = &fs});
  ASSERT_THAT(run, IsOk());
  EXPECT_TRUE(Holds(**run, "network == 'LeNet' and args.lr == 0.1"));
}

TEST(RunLineageTest, OnlyTheFirstStepOfTheRunCounts) {
  testing::MemoryFileSystem fs;
  fs.Put("run/events.out.tfevents.1.vm", TextEvent("args", 0, R"({"lr": 0.1})"));
  fs.Put("run/events.out.tfevents.2.vm", TextEvent("sample", 500, R"({"prompt": "a"})"));
  fs.Put("run/events.out.tfevents.3.vm", TextEvent("args", 0, R"({"lr": 0.2})"));
  const auto run = Run::Open("run", {.file_system = &fs});
  ASSERT_THAT(run, IsOk());
  EXPECT_TRUE(Holds(**run, "args.lr == 0.2"));  // Of the later file.
  EXPECT_FALSE((*run)->lineage().contains("sample.prompt"));
}

TEST(RunLineageTest, ALargeTextIsReadWholeAlsoWhenLargeRecordsAreNot) {
  testing::MemoryFileSystem fs;
  const std::string large(std::size_t{100} << 10U, 'a');
  fs.Put(std::string("run/") + kTensorBoardName,
         TextEvent("first", 0, large) +
             TextEvent("args", 0, R"({"name": ")" + large + R"(", "lr": 0.1})"));
  const auto run = Run::Open("run", {.file_system = &fs, .leave_large_unchecked = true});
  ASSERT_THAT(run, IsOk());
  EXPECT_TRUE(Holds(**run, "args.lr == 0.1"));
}

}  // namespace
}  // namespace sightline
