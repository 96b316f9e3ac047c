// Exports of what other programs wrote (tests/corpus/wild): several pictures in a tensor, metadata
// in a tag's first value, an unknown time.
#include "sightline/export/runs/run_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sightline/export/runs/run_writers.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/recorder/tensor/npy.h"
#include "sightline/recorder/tensor/png.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::CorpusPath;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::ReadFileOrDie;
using testing::TempDir;

class RunExportTest : public ::testing::Test {
 protected:
  static std::shared_ptr<const sightline::Run> Open(const std::string& directory) {
    auto run = sightline::Run::Open(directory);
    EXPECT_THAT(run, IsOk());
    return *std::move(run);
  }
  static ExportReport Export(const sightline::Run& run, RunWriter& writer,
                             const ExportSelection& selection = {}) {
    EXPECT_THAT(ExportRun(run, selection, writer), IsOk());
    EXPECT_THAT(writer.Finish(), IsOk());
    return writer.report();
  }
  std::unique_ptr<WritableFile> File(const std::string& name) const {
    return *FileSystem::Local().OpenForWrite(dir_.File(name), OpenMode::kCreateNew);
  }
  // A run with one scalar whose event has no time.
  std::string WithoutTime() const {
    tensorboard::Event event;
    event.set_step(3);
    auto* value = event.mutable_summary()->add_value();
    value->set_tag("loss");
    value->set_simple_value(0.5F);
    testing::WriteFileOrDie(dir_.File("events.out.tfevents.1.vm"),
                            testing::FrameRecord(event.SerializeAsString()));
    return dir_.path();
  }

  TempDir dir_;
};

TEST_F(RunExportTest, EachPictureOfATensorIsAnArray) {
  const auto writer = MakeNpyWriter(dir_.File("out"));
  const ExportReport report = Export(*Open(CorpusPath("wild/images_five")), *writer);
  EXPECT_THAT(report.written, ElementsAre(std::pair("image", 10)));
  EXPECT_THAT(report.left_out, IsEmpty());
  const std::string folder = dir_.File("out/./images/training%20data/");
  EXPECT_NE(ReadFileOrDie(folder + "1.npy"), ReadFileOrDie(folder + "1.5.npy"));
}

// More than are decoded at once. The second one is cut.
TEST_F(RunExportTest, ALargePictureIsTheSameArrayInAFolderAndInAnArchive) {
  const std::vector<std::uint8_t> pixels(std::size_t{3000} * 2000 * 3, 7);
  const std::string png = EncodePng(3000, 2000, 3, pixels).value();
  std::string records;
  for (const std::size_t bytes : {png.size(), png.size() / 2}) {
    tensorboard::Event event;
    auto* value = event.mutable_summary()->add_value();
    value->set_tag("large");
    value->mutable_image()->set_encoded_image_string(png.substr(0, bytes));
    records += testing::FrameRecord(event.SerializeAsString());
  }
  testing::WriteFileOrDie(dir_.File("events.out.tfevents.1.vm"), records);
  const auto run = Open(dir_.path());
  const auto folder = MakeNpyWriter(dir_.File("out"));
  const auto archive = MakeNpzWriter(File("out.npz"));
  for (RunWriter* writer : {folder.get(), archive.get()}) {
    const ExportReport report = Export(*run, *writer);
    EXPECT_THAT(report.written, ElementsAre(std::pair("image", 1)));
    EXPECT_EQ(report.left_out.size(), 1U);
  }
  const std::string npy = ReadFileOrDie(dir_.File("out/./images/large/0.npy"));
  const auto array = ReadNpy(npy);
  ASSERT_THAT(array, IsOk());
  EXPECT_THAT(array->shape, ElementsAre(2000, 3000, 3));
  EXPECT_EQ(array->data, std::vector<std::byte>(pixels.size(), std::byte{7}));
  EXPECT_NE(ReadFileOrDie(dir_.File("out.npz")).find(npy), std::string::npos);
}

TEST_F(RunExportTest, AMessageWithSeveralPicturesIsWrittenOnce) {
  const auto run = Open(CorpusPath("wild/images_five"));
  const auto writer = MakeJsonWriter(File("out.jsonl"));
  EXPECT_THAT(Export(*run, *writer).written, ElementsAre(std::pair("image", 10)));
  std::istringstream lines(ReadFileOrDie(dir_.File("out.jsonl")));
  std::vector<int> steps;
  for (std::string line; std::getline(lines, line);)
    steps.push_back(nlohmann::json::parse(line)["step"].get<int>());
  EXPECT_THAT(steps, ElementsAre(0, 1));

  const auto tensorboard = MakeTensorBoardWriter(dir_.File("out"));
  Export(*run, *tensorboard);
  const auto exported = Open(dir_.File("out"));
  EXPECT_EQ(exported->Find(ContentKind::kImage, "training data")->size(), 10U);
}

TEST_F(RunExportTest, TheFirstExportedValueGetsTheMetadataOfItsTag) {
  const auto run = Open(CorpusPath("wild/metadata_once"));
  const auto writer = MakeTensorBoardWriter(dir_.File("out"));
  ExportSelection selection;
  selection.first_step = 1;
  selection.last_step = 3;
  Export(*run, *writer, selection);
  const auto exported = Open(dir_.File("out"));
  ASSERT_EQ(exported->series().size(), run->series().size());
  for (std::size_t i = 0; i < run->series().size(); ++i) {
    EXPECT_EQ(exported->series()[i]->key(), run->series()[i]->key());
    EXPECT_EQ(exported->series()[i]->size(), 3U);
  }
}

TEST_F(RunExportTest, AScalarKeepsItsDisplayNameForTensorBoard) {
  const auto run = Open(CorpusPath("wild/display_names"));
  const auto writer = MakeTensorBoardWriter(dir_.File("out"));
  Export(*run, *writer);
  const auto exported = Open(dir_.File("out"));
  EXPECT_EQ(exported->display_names(), run->display_names());
  const Series* loss = exported->Find(ContentKind::kScalar, "loss/scalar_summary");
  ASSERT_NE(loss, nullptr);
  EXPECT_EQ(loss->size(), 2U);
}

TEST_F(RunExportTest, ThePageSaysOfAnImageThatThereAreOthersAndWhatWritesThem) {
  const auto writer = MakeHtmlWriter(File("page.html"), 1 << 20U);
  const ExportReport report = Export(*Open(CorpusPath("wild/images_five")), *writer);
  EXPECT_THAT(ReadFileOrDie(dir_.File("page.html")),
              ::testing::HasSubstr(", 1 of 10 images; <code>sightline export --format npz</code>"));
  EXPECT_THAT(report.left_out,
              ElementsAre(std::pair("image: before the last one of its tag (the formats npz and "
                                    "jsonl have them)",
                                    9)));
}

// What a session ran on, beside its events. The page is for others than the run's owner.
TEST_F(RunExportTest, ThePageLeavesOutTheCommandAndTheEnvironment) {
  tensorboard::Event session;
  session.mutable_session()->set_session_id("a");
  tensorboard::Event event;
  auto* value = event.mutable_summary()->add_value();
  value->set_tag("loss");
  value->set_simple_value(0.5F);
  testing::WriteFileOrDie(dir_.File("events.out.tfevents.1.vm"),
                          testing::FrameRecord(session.SerializeAsString()) +
                              testing::FrameRecord(event.SerializeAsString()));
  testing::WriteFileOrDie(
      dir_.File(".sightline-run-a.json"),
      R"({"command": "python mine.py", "env": {"RANK": "73"}, "git": {"commit": "a1b2"}})");
  const auto writer = MakeHtmlWriter(File("page.html"), 1 << 20U);
  Export(*Open(dir_.path()), *writer);
  const std::string page = ReadFileOrDie(dir_.File("page.html"));
  EXPECT_THAT(page, ::testing::HasSubstr("<td>run.git.commit</td><td>a1b2</td>"));
  EXPECT_THAT(page, ::testing::Not(::testing::HasSubstr("mine.py")));
  EXPECT_THAT(page, ::testing::Not(::testing::HasSubstr("RANK")));
}

TEST_F(RunExportTest, AnUnknownTimeIsLeftOut) {
  const auto run = Open(WithoutTime());
  EXPECT_EQ(run->first_wall_time(), std::nullopt);
  Export(*run, *MakeCsvWriter(File("out.csv")));
  EXPECT_THAT(ReadFileOrDie(dir_.File("out.csv")), ::testing::HasSubstr(",loss,3,,0.5\r\n"));
  Export(*run, *MakeJsonWriter(File("out.jsonl")));
  const auto line = nlohmann::json::parse(ReadFileOrDie(dir_.File("out.jsonl")));
  EXPECT_FALSE(line.contains("wall_time"));
  EXPECT_EQ(line["value"], 0.5);
}

}  // namespace
}  // namespace sightline
