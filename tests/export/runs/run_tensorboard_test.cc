#include <string>

#include "sightline/export/runs/run_writers.h"
#include "sightline/recorder/message/landscape.h"
#include "sightline/recorder/recorder.h"
#include "sightline/recorder/tensor/png.h"
#include "sightline/runs/model/run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::TempDir;

// A run with one landscape, and what its export for TensorBoard holds.
class RunTensorBoardTest : public ::testing::Test {
 protected:
  void Record(const LossLandscape& landscape) {
    auto recorder = Recorder::Open(dir_.File("run"), {});
    ASSERT_THAT(recorder, IsOk());
    (*recorder)->AddMessage("landscape", 6, ValueKind::kLandscape, *SerializeLandscape(landscape));
    ASSERT_THAT((*recorder)->Close(), IsOk());
  }
  std::shared_ptr<const sightline::Run> Export() {
    const auto run = sightline::Run::Open(dir_.File("run"));
    EXPECT_THAT(run, IsOk());
    const auto writer = MakeTensorBoardWriter(dir_.File("out"));
    EXPECT_THAT(ExportRun(**run, {}, *writer), IsOk());
    EXPECT_THAT(writer->Finish(), IsOk());
    const auto exported = sightline::Run::Open(dir_.File("out"));
    EXPECT_THAT(exported, IsOk());
    return *exported;
  }
  static LossLandscape Surface() {
    LossLandscape landscape;
    landscape.x = {0, 1};
    landscape.y = {0, 1, 2};
    landscape.z = {1, 2, 3, 4, 5, 6};
    landscape.unit = "epoch";
    return landscape;
  }

  TempDir dir_;
};

TEST_F(RunTensorBoardTest, MakesAPictureOfEachLandscape) {
  Record(Surface());
  const auto exported = Export();
  const Series* pictures = exported->Find(ContentKind::kImage, "landscape/picture");
  ASSERT_NE(pictures, nullptr);
  ASSERT_EQ(pictures->size(), 1U);
  EXPECT_EQ(pictures->steps()[0], 6);
  const auto stored = exported->Read(pictures->point(0));
  ASSERT_THAT(stored, IsOk());
  const auto image = stored->Image();
  ASSERT_THAT(image, IsOk());
  EXPECT_EQ(image->encoded.substr(0, 4), "\x89PNG");
  const auto pixels = DecodePng(image->encoded);
  ASSERT_THAT(pixels, IsOk());
  EXPECT_EQ(pixels->width, image->width);
  EXPECT_EQ(pixels->height, image->height);
}

TEST_F(RunTensorBoardTest, MakesNoPictureOfALine) {
  LossLandscape line = Surface();
  line.y = {0};
  line.z = {1, 2};
  Record(line);
  const auto exported = Export();
  EXPECT_EQ(exported->Find(ContentKind::kImage, "landscape/picture"), nullptr);
  EXPECT_NE(exported->Find(ContentKind::kTensor, "landscape/z"), nullptr);
}

}  // namespace
}  // namespace sightline
