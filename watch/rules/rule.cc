#include "sightline/watch/rules/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "sightline/base/byte_size.h"
#include "sightline/base/parse_number.h"
#include "sightline/base/text/duration_text.h"
#include "sightline/base/text/spelling.h"
#include "sightline/base/trimmed.h"
#include "sightline/runs/query/query.h"
#include "sightline/watch/rules/device_rule.h"
#include "sightline/watch/rules/disk_rule.h"
#include "sightline/watch/rules/rank_rule.h"
#include "sightline/watch/rules/series_rules.h"
#include "sightline/watch/rules/state_rules.h"

namespace sightline::watch {
namespace {

using RulePtr = std::shared_ptr<const Rule>;
using Arguments = std::vector<std::string>;

constexpr std::string_view kBlank = " ";
constexpr double kDefaultSilence = 600;
constexpr double kDefaultSpike = 8;
constexpr double kDefaultFreeShare = 0.1;

std::string Unquoted(std::string_view text) {
  text = Trimmed(text, kBlank);
  const bool quoted = text.size() >= 2 && (text.front() == '\'' || text.front() == '"') &&
                      text.back() == text.front();
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

// Separated by commas outside of quotes.
Arguments SplitArguments(std::string_view text) {
  Arguments arguments;
  if (Trimmed(text, kBlank).empty()) return arguments;
  char quote = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (quote == 0 && text[i] == ',')) {
      arguments.push_back(Unquoted(text.substr(begin, i - begin)));
      begin = i + 1;
    } else if (quote != 0 ? text[i] == quote : text[i] == '\'' || text[i] == '"') {
      quote = quote != 0 ? 0 : text[i];
    }
  }
  return arguments;
}

// How a rule is written, and what makes it of its arguments: null if they are wrong.
struct Form {
  std::string_view name;
  std::string_view usage;
  RulePtr (*make)(const std::string& text, const Arguments& arguments);
};

template <typename SilenceRule>
RulePtr MakeSilence(const std::string& text, const Arguments& arguments) {
  if (arguments.empty()) return std::make_shared<SilenceRule>(text, kDefaultSilence);
  const auto seconds = ParseDuration(arguments[0]);
  if (arguments.size() > 1 || !seconds) return nullptr;
  return std::make_shared<SilenceRule>(text, *seconds);
}

RulePtr MakeSpike(const std::string& text, const Arguments& arguments) {
  if (arguments.empty() || arguments.size() > 2 || arguments[0].empty()) return nullptr;
  const auto times =
      arguments.size() == 1 ? std::optional(kDefaultSpike) : ParseNumber<double>(arguments[1]);
  if (!times || !std::isfinite(*times) || *times <= 0) return nullptr;
  return std::make_shared<SpikeRule>(text, arguments[0], *times);
}

RulePtr MakePlateau(const std::string& text, const Arguments& arguments) {
  if (arguments.size() != 2 || arguments[0].empty()) return nullptr;
  const auto steps = ParseNumber<std::uint64_t>(arguments[1]);
  if (!steps || *steps == 0) return nullptr;
  return std::make_shared<PlateauRule>(text, arguments[0], *steps);
}

RulePtr MakeDisk(const std::string& text, const Arguments& arguments) {
  if (arguments.empty()) return std::make_shared<DiskRule>(text, kDefaultFreeShare, 0);
  std::string_view limit = arguments[0];
  if (arguments.size() > 1) return nullptr;
  if (const auto bytes = ParseByteSize(limit); bytes && *bytes > 0)
    return std::make_shared<DiskRule>(text, 0, static_cast<std::uint64_t>(*bytes));
  const auto percent = TakeNumber<double>(limit);
  if (!percent || limit != "%" || !(*percent > 0 && *percent < 100)) return nullptr;
  return std::make_shared<DiskRule>(text, *percent / 100, 0);
}

const std::array<Form, 10> kForms = {{
    {"nan", "nan or nan(TAG)",
     [](const std::string& text, const Arguments& arguments) -> RulePtr {
       if (arguments.size() > 1) return nullptr;
       return std::make_shared<NanRule>(text, arguments.empty() ? "" : arguments[0]);
     }},
    {"stalled", "stalled or stalled(10m): a time in s, m, h or d", MakeSilence<StalledRule>},
    {"killed", "killed",
     [](const std::string& text, const Arguments& arguments) -> RulePtr {
       return arguments.empty() ? std::make_shared<StateRule>(text, RunState::kKilled) : nullptr;
     }},
    {"finished", "finished",
     [](const std::string& text, const Arguments& arguments) -> RulePtr {
       return arguments.empty() ? std::make_shared<StateRule>(text, RunState::kFinished) : nullptr;
     }},
    {"ended", "ended or ended(10m): a time in s, m, h or d", MakeSilence<EndedRule>},
    {"spike", "spike(TAG) or spike(TAG, 8)", MakeSpike},
    {"plateau", "plateau(TAG, STEPS)", MakePlateau},
    {"rank", "rank(TAG)",
     [](const std::string& text, const Arguments& arguments) -> RulePtr {
       if (arguments.size() != 1 || arguments[0].empty()) return nullptr;
       return std::make_shared<RankRule>(text, arguments[0]);
     }},
    {"disk", "disk, disk(10%) or disk(20GB): what must be free", MakeDisk},
    {"device", "device",
     [](const std::string& text, const Arguments& arguments) -> RulePtr {
       return arguments.empty() ? std::make_shared<DeviceRule>(text) : nullptr;
     }},
}};

std::vector<std::string> RuleNames() {
  std::vector<std::string> names;
  names.reserve(kForms.size());
  for (const Form& form : kForms) names.emplace_back(form.name);
  return names;
}

bool IsWord(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

Error NoRule(std::string_view text, std::string_view name) {
  const std::vector<std::string> names = RuleNames();
  const std::string_view nearest = NearestName(name, names);
  if (!nearest.empty()) {
    return {StatusCode::kInvalidArgument,
            fmt::format("there is no rule {}; did you mean {}?", text, nearest)};
  }
  return {StatusCode::kInvalidArgument,
          fmt::format("there is no rule {}; rules are {}, or a query that compares something:"
                      " last(loss) > 3",
                      text, fmt::join(names, ", "))};
}

Result<RulePtr> ParseQueryRule(std::string_view text, std::string_view name) {
  auto query = Query::Parse(text);
  const bool asks_nothing = IsWord(text);
  const std::vector<std::string> names = RuleNames();
  if (asks_nothing || (!query && !NearestName(name, names).empty())) return NoRule(text, name);
  if (!query) return Error(query.error());
  return std::make_shared<QueryRule>(std::string(text), *std::move(query));
}

}  // namespace

std::optional<Cause> Rule::OfDisk(const std::string& /*root*/, bool /*holds*/) const {
  return std::nullopt;
}

Result<RulePtr> ParseRule(std::string_view text) {
  text = Trimmed(text, kBlank);
  const std::size_t bracket = text.find('(');
  const std::string_view name = Trimmed(text.substr(0, bracket), kBlank);
  const bool called = bracket != std::string_view::npos && text.back() == ')';
  if (name.size() == text.size() || called) {
    for (const Form& form : kForms) {
      if (form.name != name) continue;
      const auto inner = called ? text.substr(bracket + 1, text.size() - bracket - 2) : "";
      if (auto rule = form.make(std::string(text), SplitArguments(inner))) return rule;
      return Error(StatusCode::kInvalidArgument,
                   fmt::format("{} is not a rule: it is written {}", text, form.usage));
    }
  }
  return ParseQueryRule(text, name);
}

}  // namespace sightline::watch
