#include "sightline/runs/model/nonfinite_note.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "sightline/runs/model/series_points.h"

namespace sightline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Of values at steps 10, 20, ...
std::string NoteOn(const std::vector<double>& values) {
  SeriesPoints points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    points.steps.push_back(static_cast<std::int64_t>(10 * (i + 1)));
    points.wall_times.push_back(1);
    points.values.push_back(values[i]);
  }
  const Series series({ContentKind::kScalar, "", "loss", 0}, std::move(points));
  return NonFiniteNote(series, 0, series.size());
}

TEST(NonFiniteNoteTest, SaysSinceWhichStep) {
  EXPECT_EQ(NoteOn({1, 2, 3}), "");
  EXPECT_EQ(NoteOn({1, kNan, kNan}), "2 NaN since step 20");
  EXPECT_EQ(NoteOn({kNan}), "1 NaN since step 10");
  EXPECT_EQ(NoteOn({1, kInfinity, kNan}), "1 NaN and 1 infinite since step 20");
  EXPECT_EQ(NoteOn({1, kNan, 2}), "1 NaN, the first at step 20");
  EXPECT_EQ(NoteOn({kNan, 1, -kInfinity}),
            "1 NaN and 1 infinite, the first at step 10, all since step 30");
}

}  // namespace
}  // namespace sightline
