// Reading runs through the C interface.
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/sdk/sightline.hpp"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::sdk::Sized;
using ::sightline::testing::IsOk;
using ::sightline::testing::TempDir;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StrEq;

class SdkRun : public ::testing::Test {
 protected:
  ~SdkRun() override { sightline_run_free(run_); }

  // Of "loss" at steps 1 to 5, and a tensor.
  void Record() {
    const auto recorder = Recorder::Open(dir_.path(), {});
    ASSERT_THAT(recorder, IsOk());
    for (std::int64_t step = 1; step <= 5; ++step)
      (*recorder)->AddScalar("loss", step, static_cast<double>(1.0F / static_cast<float>(step)));
    const float element = 1;
    (*recorder)->AddTensor("weight", 2, View(&element, {1}));
    ASSERT_THAT((*recorder)->Close(), IsOk());
  }
  void Open() {
    Record();
    ASSERT_EQ(sightline_run_open(dir_.path().c_str(), &run_), SIGHTLINE_OK)
        << sightline_error(nullptr);
  }
  std::uint64_t Find(int kind, const char* tag) {
    std::uint64_t index = 99;
    EXPECT_EQ(sightline_run_find(run_, kind, tag, &index), SIGHTLINE_OK);
    return index;
  }

  TempDir dir_;
  sightline_run* run_ = nullptr;
};

TEST_F(SdkRun, ListsItsSeries) {
  Open();
  auto info = Sized<sightline_run_info>();
  ASSERT_EQ(sightline_run_get_info(run_, &info), SIGHTLINE_OK);
  EXPECT_EQ(info.series_count, 2U);
  EXPECT_EQ(info.file_count, 1U);
  EXPECT_EQ(info.state, SIGHTLINE_FINISHED);
  EXPECT_EQ(info.damaged, 0);
  auto series = Sized<sightline_series>();
  ASSERT_EQ(sightline_run_get_series(run_, 0, &series), SIGHTLINE_OK);
  EXPECT_THAT(series.tag, StrEq("loss"));
  EXPECT_EQ(series.kind, SIGHTLINE_SCALAR);
  EXPECT_EQ(series.rank, 0);
  EXPECT_EQ(series.points, 5U);
  EXPECT_EQ(series.first_step, 1);
  EXPECT_EQ(series.last_step, 5);
  ASSERT_EQ(sightline_run_get_series(run_, 1, &series), SIGHTLINE_OK);
  EXPECT_THAT(series.tag, StrEq("weight"));
  EXPECT_EQ(series.kind, SIGHTLINE_TENSOR);
}

TEST_F(SdkRun, CopiesScalarsBitByBit) {
  Open();
  std::vector<std::int64_t> steps(5);
  std::vector<double> times(5);
  std::vector<double> values(5);
  std::uint64_t copied = 0;
  ASSERT_EQ(sightline_run_read_scalars(run_, Find(SIGHTLINE_SCALAR, "loss"), 0, 5, steps.data(),
                                       times.data(), values.data(), &copied),
            SIGHTLINE_OK);
  EXPECT_EQ(copied, 5U);
  EXPECT_THAT(steps, ElementsAre(1, 2, 3, 4, 5));
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(values[i]),
              std::bit_cast<std::uint64_t>(static_cast<double>(1.0F / static_cast<float>(i + 1))));
    EXPECT_GT(times[i], 0);
  }
}

TEST_F(SdkRun, CopiesAPartAndOnlyWhatIsAsked) {
  Open();
  std::vector<std::int64_t> steps(10, -1);
  std::uint64_t copied = 0;
  const std::uint64_t loss = Find(SIGHTLINE_SCALAR, "loss");
  ASSERT_EQ(sightline_run_read_scalars(run_, loss, 3, 10, steps.data(), nullptr, nullptr, &copied),
            SIGHTLINE_OK);
  EXPECT_EQ(copied, 2U);
  EXPECT_EQ(steps[0], 4);
  EXPECT_EQ(steps[1], 5);
  EXPECT_EQ(steps[2], -1);
  ASSERT_EQ(sightline_run_read_scalars(run_, loss, UINT64_MAX, UINT64_MAX, steps.data(), nullptr,
                                       nullptr, &copied),
            SIGHTLINE_OK);
  EXPECT_EQ(copied, 0U);
}

TEST_F(SdkRun, NamesWhatIsWrong) {
  Open();
  std::uint64_t number = 0;
  sightline_series series{};
  EXPECT_EQ(sightline_run_get_series(run_, 0, &series), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(sightline_error(run_), HasSubstr("struct_size is 0"));
  series.struct_size = sizeof(series);
  EXPECT_EQ(sightline_run_get_series(run_, 2, &series), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(sightline_error(run_), HasSubstr("there is no series 2; the run has 2"));
  EXPECT_EQ(sightline_run_find(run_, SIGHTLINE_SCALAR, "accuracy", &number), SIGHTLINE_NOT_FOUND);
  EXPECT_THAT(sightline_error(run_), HasSubstr("accuracy"));
  EXPECT_EQ(sightline_run_read_scalars(run_, Find(SIGHTLINE_TENSOR, "weight"), 0, 1, nullptr,
                                       nullptr, nullptr, &number),
            SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(sightline_error(run_), HasSubstr("'weight' has no scalars"));
}

TEST_F(SdkRun, NullPointersAreErrors) {
  Open();
  std::uint64_t number = 0;
  sightline_run* run = run_;
  EXPECT_EQ(sightline_run_open(nullptr, &run), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(run, nullptr);
  EXPECT_EQ(sightline_run_open("run", nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_run_get_info(nullptr, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_run_get_info(run_, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_run_get_series(nullptr, 0, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_run_get_series(run_, 0, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_run_find(nullptr, 1, "loss", &number), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_run_find(run_, 1, nullptr, &number), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_run_find(run_, 1, "loss", nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_run_read_scalars(run_, 0, 0, 1, nullptr, nullptr, nullptr, nullptr),
            SIGHTLINE_INVALID_ARGUMENT);
  sightline_run_free(nullptr);
}

TEST_F(SdkRun, SaysWhereThereIsNone) {
  EXPECT_EQ(sightline_run_open(dir_.path().c_str(), &run_), SIGHTLINE_NOT_FOUND);
  EXPECT_EQ(run_, nullptr);
  EXPECT_THAT(sightline_error(nullptr), HasSubstr(dir_.path()));
}

}  // namespace
}  // namespace sightline
