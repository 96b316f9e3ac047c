// A line of a file below metrics/ in MLflow's folder of runs.
//
//   ParseMetricLine("1790000000000 0.25 7");   // step 7, 0.25
//
// The form is that of MLflow 3.18 (mlflow/store/tracking/file_store.py): the time in milliseconds,
// the value as Python prints it, the step, and for metrics of a dataset its name and digest.
// Lines of the first versions lack the step, which is 0 then. Plain functions; any thread. Private
// to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sightline {

struct MetricLine {
  std::int64_t milliseconds = 0;
  double value = 0;
  std::int64_t step = 0;
};

// No value for a line of another form.
std::optional<MetricLine> ParseMetricLine(std::string_view line);

}  // namespace sightline
