// Profiles through the C interface, read back by an independent reader of traces.
#include <cstdint>
#include <string>

#include "sightline/sdk/sightline.hpp"
#include "sightline/tests/profiler/record/trace_reading.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::sdk::Sized;
using ::sightline::testing::ParseTrace;
using ::sightline::testing::ReadFileOrDie;
using ::sightline::testing::ReadTrace;
using ::sightline::testing::TempDir;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SdkProfile : public ::testing::Test {
 protected:
  ~SdkProfile() override { sightline_profile_free(profile_); }

  void Start() {
    auto options = Sized<sightline_profile_options>();
    options.sample_interval_ms = -1;
    ASSERT_EQ(sightline_profile_start(dir_.path().c_str(), &options, &profile_), SIGHTLINE_OK)
        << sightline_error(nullptr);
  }

  TempDir dir_;
  sightline_profile* profile_ = nullptr;
};

TEST_F(SdkProfile, RecordsSpansStepsAndCounters) {
  Start();
  const std::string path = sightline_profile_path(profile_);
  sightline_name_thread("trainer");
  const std::uint32_t forward = sightline_name("forward");
  const std::uint32_t batch = sightline_name("batch");
  EXPECT_NE(forward, batch);
  EXPECT_EQ(sightline_name("forward"), forward);
  sightline_step_begin(12);
  const std::uint32_t outer = sightline_span_begin(forward, SIGHTLINE_COMPUTE);
  const std::uint32_t inner = sightline_span_begin(batch, SIGHTLINE_DATA);
  sightline_span_end(inner);
  sightline_span_end(outer);
  sightline_instant(sightline_name("saved"));
  sightline_counter(sightline_name("queue"), 3.5);
  sightline_step_end();
  auto stats = Sized<sightline_profile_stats>();
  ASSERT_EQ(sightline_profile_stop(profile_, &stats), SIGHTLINE_OK);
  EXPECT_EQ(stats.dropped, 0U);
  EXPECT_GE(stats.events, 8U);
  const ReadTrace trace = ParseTrace(ReadFileOrDie(path));
  EXPECT_EQ(stats.bytes, ReadFileOrDie(path).size());
  EXPECT_EQ(trace.Only("batch").parent, "forward");
  EXPECT_EQ(trace.Only("batch").category, "data");
  EXPECT_EQ(trace.Only("forward").track, "trainer");
  EXPECT_TRUE(trace.Only("saved").instant);
  EXPECT_THAT(trace.counters.at("queue"), ElementsAre(3.5));
  EXPECT_EQ(trace.Count("step 12") + trace.Count("12") + trace.Count("step"), 1U);
}

TEST_F(SdkProfile, IsTheOnlyOneOfItsProcess) {
  Start();
  sightline_profile* second = nullptr;
  EXPECT_EQ(sightline_profile_start(dir_.path().c_str(), nullptr, &second),
            SIGHTLINE_FAILED_PRECONDITION);
  EXPECT_EQ(second, nullptr);
  EXPECT_THAT(sightline_error(nullptr), HasSubstr("running"));
}

TEST_F(SdkProfile, DoesNothingWithoutOne) {
  EXPECT_EQ(sightline_span_begin(sightline_name("forward"), SIGHTLINE_COMPUTE), 0U);
  sightline_span_end(0);
  sightline_step_begin(1);
  sightline_step_end();
  sightline_counter(sightline_name("queue"), 1);
  sightline_instant(0);
}

TEST_F(SdkProfile, NamesWhatIsWrong) {
  sightline_profile_options options{};
  EXPECT_EQ(sightline_profile_start(dir_.path().c_str(), &options, &profile_),
            SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(sightline_error(nullptr), HasSubstr("sightline_profile_options: struct_size is 0"));
  options.struct_size = sizeof(options);
  options.ring_bytes = 1;
  EXPECT_EQ(sightline_profile_start(dir_.path().c_str(), &options, &profile_),
            SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(sightline_error(nullptr), HasSubstr("ring_bytes is 1"));
  EXPECT_EQ(sightline_profile_start(nullptr, nullptr, &profile_), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_profile_start("profile", nullptr, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_profile_stop(nullptr, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_profile_path(nullptr), nullptr);
  EXPECT_EQ(sightline_name(nullptr), 0U);
  sightline_name_thread(nullptr);
  sightline_profile_free(nullptr);
}

TEST_F(SdkProfile, StopsOnceAndGivesItsFiguresAgain) {
  Start();
  sightline_profile_stats wrong{};
  EXPECT_EQ(sightline_profile_stop(profile_, &wrong), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(sightline_error(profile_), HasSubstr("struct_size is 0"));
  EXPECT_EQ(sightline_profile_stop(profile_, nullptr), SIGHTLINE_OK);
  auto stats = Sized<sightline_profile_stats>();
  EXPECT_EQ(sightline_profile_stop(profile_, &stats), SIGHTLINE_OK);
  EXPECT_GT(stats.bytes, 0U);
}

}  // namespace
}  // namespace sightline
