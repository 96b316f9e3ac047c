#include "sightline/export/runs/run_tensorboard.h"

#include <string>

#include "sightline/export/png/landscape_png.h"
#include "sightline/recorder/recorder.h"
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
    (*recorder)->AddMessage(ValueKind::kLandscape, "landscape", 6, *SerializeLandscape(landscape));
    ASSERT_THAT((*recorder)->Close(), IsOk());
  }
  std::shared_ptr<const sightline::Run> Export(const LandscapePainter& paint) {
    FileSystem& files = FileSystem::Local();
    const auto run = sightline::Run::Open(files, dir_.File("run"));
    EXPECT_THAT(run, IsOk());
    const auto writer = MakeTensorBoardWriter(files, dir_.File("out"), paint);
    EXPECT_THAT(ExportRun(**run, {}, *writer), IsOk());
    EXPECT_THAT(writer->Finish(), IsOk());
    const auto exported = sightline::Run::Open(files, dir_.File("out"));
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
  static Result<PngImage> Paint(const LossLandscape& landscape, const std::string& title) {
    return LandscapePng(landscape, {.title = title});
  }

  TempDir dir_;
};

TEST_F(RunTensorBoardTest, MakesAPictureOfEachLandscape) {
  Record(Surface());
  const auto exported = Export(Paint);
  const Series* pictures = exported->Find(ContentKind::kImage, "landscape/picture");
  ASSERT_NE(pictures, nullptr);
  ASSERT_EQ(pictures->size(), 1U);
  EXPECT_EQ(pictures->steps()[0], 6);
  const auto stored = exported->Read(pictures->point(0));
  ASSERT_THAT(stored, IsOk());
  const auto image = stored->Image();
  ASSERT_THAT(image, IsOk());
  EXPECT_EQ(image->encoded.substr(0, 4), "\x89PNG");
  EXPECT_EQ(image->width, 1520);
}

TEST_F(RunTensorBoardTest, MakesNoneWithoutAPainter) {
  Record(Surface());
  EXPECT_EQ(Export(nullptr)->Find(ContentKind::kImage, "landscape/picture"), nullptr);
}

}  // namespace
}  // namespace sightline
