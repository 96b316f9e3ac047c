#include "sightline/import/mlflow/metric_line.h"

#include "sightline/base/parse_number.h"

namespace sightline {
namespace {

std::string_view TakeWord(std::string_view& text) {
  const std::size_t end = text.find(' ');
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return word;
}

}  // namespace

std::optional<MetricLine> ParseMetricLine(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const auto time = ParseNumber<std::int64_t>(TakeWord(line));
  const auto value = ParseNumber<double>(TakeWord(line));
  const auto step = line.empty() ? 0 : ParseNumber<std::int64_t>(TakeWord(line));
  if (!time || !value || !step) return std::nullopt;
  return MetricLine{*time, *value, *step};
}

}  // namespace sightline
