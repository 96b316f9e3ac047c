#include "sightline/runs/compare/logged_scalars.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/parse_number.h"
#include "sightline/base/trimmed.h"

namespace sightline {
namespace {

constexpr std::string_view kBlanks = " \t";

using Tags = std::map<std::string, SeriesPoints, std::less<>>;

// The number at the front of a value, after which a unit or a bracket may follow: "12 ms", "[0.5]",
// "[1.2/1.3]". None of what only begins like one: "3:12:01".
std::optional<double> NumberIn(std::string_view value) {
  value = Trimmed(value, kBlanks);
  if (value.starts_with('[')) value = Trimmed(value.substr(1), kBlanks);
  if (value.starts_with('+')) value.remove_prefix(1);
  const auto number = TakeNumber<double>(value);
  if (!number || value.starts_with(':')) return std::nullopt;
  return number;
}

// Without the control sequences of colours: ESC [ ... letter.
std::string WithoutColours(std::string_view line) {
  std::string plain;
  plain.reserve(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line.substr(i, 2) != "\x1b[") {
      plain += line[i];
      continue;
    }
    i = line.find_first_not_of("0123456789;:?", i + 2);
    if (i == std::string_view::npos) break;
  }
  return plain;
}

std::string_view TagOf(std::string_view name) {
  if (name == "lr") return "learning-rate";
  if (name == "global_norm") return "grad-norm";
  if (name == "per_step_time") return "iteration-time";
  return name;
}

void AddPoint(std::string_view tag, std::int64_t step, double value, Tags& tags) {
  auto found = tags.find(tag);
  if (found == tags.end()) found = tags.emplace(tag, SeriesPoints()).first;
  SeriesPoints& points = found->second;
  points.steps.push_back(step);
  points.wall_times.push_back(static_cast<double>(points.steps.size()));  // Their order.
  points.values.push_back(value);
}

Comparand SideOf(Tags&& tags, std::string name) {
  Comparand side{std::move(name)};
  auto owner = std::make_shared<std::vector<std::shared_ptr<const Series>>>();
  for (auto& [tag, points] : tags) {
    points.Sort();
    owner->push_back(std::make_shared<const Series>(SeriesKey{ContentKind::kScalar, "", tag, 0},
                                                    std::move(points)));
    side.tags.push_back({tag, {owner->back().get()}});
  }
  side.owner = std::move(owner);
  return side;
}

}  // namespace

struct LoggedScalars::Pattern {
  explicit Pattern(std::string_view text)
      : expression(re2::StringPiece(text.data(), text.size()), Options()) {}

  static RE2::Options Options() {
    RE2::Options options;
    options.set_log_errors(false);
    return options;
  }

  RE2 expression;
  int step = 0;  // The number of its group.
};

LoggedScalars::LoggedScalars() = default;
LoggedScalars::~LoggedScalars() = default;
LoggedScalars::LoggedScalars(LoggedScalars&& other) noexcept = default;
LoggedScalars& LoggedScalars::operator=(LoggedScalars&& other) noexcept = default;

Result<LoggedScalars> LoggedScalars::Make(std::string_view pattern) {
  LoggedScalars made;
  if (pattern.empty()) return made;
  made.pattern_ = std::make_unique<Pattern>(pattern);
  const RE2& expression = made.pattern_->expression;
  if (!expression.ok()) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("--pattern {}: not a regular expression of RE2 ({})", pattern,
                             expression.error()));
  }
  const auto& groups = expression.NamedCapturingGroups();
  const auto step = groups.find("step");
  if (step == groups.end() || groups.size() < 2) {
    return Error(
        StatusCode::kInvalidArgument,
        fmt::format("--pattern {}: it needs the group (?P<step>...), and one for each tag, "
                    "such as (?P<loss>...)",
                    pattern));
  }
  made.pattern_->step = step->second;
  return made;
}

void LoggedScalars::Read(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view piece = bytes.substr(0, end);
    too_long_ = too_long_ || line_.size() + piece.size() > kLongestLine;
    if (!too_long_) line_ += piece;
    if (end == std::string_view::npos) return;
    if (!too_long_) TakeLine(line_);
    line_.clear();
    too_long_ = false;
    bytes.remove_prefix(end + 1);
  }
}

Comparand LoggedScalars::Finish(std::string name) {
  if (!too_long_) TakeLine(line_);
  line_.clear();
  return SideOf(std::exchange(tags_, {}), std::move(name));
}

void LoggedScalars::TakeLine(std::string_view line) {
  static const RE2 mindformers(R"((?:Epoch:\[ *(\d+)/ *\d+\], *)?step:\[ *(\d+)/ *(\d+)\],)");
  static const RE2 megatron(R"(\biteration +(\d+)/ *\d+ *\|)");
  std::string plain;
  if (line.find('\x1b') != std::string_view::npos) {
    plain = WithoutColours(line);
    line = plain;
  }
  if (pattern_ != nullptr && TakeByPattern(line)) return;
  re2::StringPiece rest(line.data(), line.size());
  const auto after = [&] { return std::string_view(rest.data(), rest.size()); };
  re2::StringPiece epoch_text;
  std::int32_t step = 0;  // No more than 32 bits, so that the product below is a number.
  std::int32_t steps_per_epoch = 0;
  if (line.find("step:[") != std::string_view::npos &&
      RE2::FindAndConsume(&rest, mindformers, &epoch_text, &step, &steps_per_epoch)) {
    const auto epoch = ParseNumber<std::int32_t>(
        {epoch_text.data() == nullptr ? "" : epoch_text.data(), epoch_text.size()});
    const std::int64_t before =
        epoch ? (static_cast<std::int64_t>(*epoch) - 1) * steps_per_epoch : std::int64_t{0};
    TakePairs(before + step, after(), ',');
  } else if (line.find("iteration ") != std::string_view::npos &&
             RE2::FindAndConsume(&rest, megatron, &step)) {
    TakePairs(step, after(), '|');
  }
}

bool LoggedScalars::TakeByPattern(std::string_view line) {
  const RE2& expression = pattern_->expression;
  std::vector<re2::StringPiece> groups(
      static_cast<std::size_t>(expression.NumberOfCapturingGroups()) + 1);
  if (!expression.Match(re2::StringPiece(line.data(), line.size()), 0, line.size(), RE2::UNANCHORED,
                        groups.data(), static_cast<int>(groups.size()))) {
    return false;
  }
  const auto text_of = [&](int group) {
    const re2::StringPiece& text = groups[static_cast<std::size_t>(group)];
    return Trimmed({text.data() == nullptr ? "" : text.data(), text.size()}, kBlanks);
  };
  const auto step = ParseNumber<std::int64_t>(text_of(pattern_->step));
  if (!step) return false;
  for (const auto& [name, group] : expression.NamedCapturingGroups()) {
    const auto value = NumberIn(text_of(group));
    if (group != pattern_->step && value) Add(name, *step, *value);
  }
  return true;
}

// "loss: 1.2, lr: 1e-05"
void LoggedScalars::TakePairs(std::int64_t step, std::string_view pairs, char separator) {
  while (!pairs.empty()) {
    const std::string_view pair = pairs.substr(0, pairs.find(separator));
    pairs.remove_prefix(std::min(pairs.size(), pair.size() + 1));
    const std::size_t colon = pair.find(':');
    if (colon == std::string_view::npos) continue;
    const auto value = NumberIn(pair.substr(colon + 1));
    if (value) Add(TagOf(Trimmed(pair.substr(0, colon), kBlanks)), step, *value);
  }
}

void LoggedScalars::Add(std::string_view tag, std::int64_t step, double value) {
  if (!tag.empty() && tag.size() <= kLongestTag) AddPoint(tag, step, value, tags_);
}

Result<Comparand> ReadTrainerState(std::string_view text, std::string name) {
  // Python writes NaN and Infinity, which are no JSON, as values.
  std::string plain(text);
  for (const auto& [python, json] : {std::pair<std::string, std::string>("-Infinity", "\"-inf\""),
                                     {"Infinity", "\"inf\""},
                                     {"NaN", "\"nan\""}}) {
    RE2::GlobalReplace(&plain, ":\\s*" + python + "\\b", ": " + json);
  }
  const auto json = ParseForeignJson<nlohmann::json>(plain);
  const auto history = json.is_object() ? json.find("log_history") : json.end();
  if (!json.is_object() || history == json.end() || !history->is_array()) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("{}: not a trainer_state.json: it has no log_history", name));
  }
  Tags tags;
  for (const auto& entry : *history) {
    const auto step = entry.is_object() ? entry.find("step") : entry.end();
    if (!entry.is_object() || step == entry.end() || !step->is_number_integer()) continue;
    for (const auto& [tag, value] : entry.items()) {
      if (tag == "step" || tag == "epoch" || tag.size() > LoggedScalars::kLongestTag) continue;
      if (value.is_number()) AddPoint(tag, step->get<std::int64_t>(), value.get<double>(), tags);
      if (!value.is_string()) continue;
      const auto number = ParseNumber<double>(value.get_ref<const std::string&>());
      if (number && !std::isfinite(*number))
        AddPoint(tag, step->get<std::int64_t>(), *number, tags);
    }
  }
  return SideOf(std::move(tags), std::move(name));
}

}  // namespace sightline
