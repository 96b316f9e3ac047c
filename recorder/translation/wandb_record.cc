#include "sightline/recorder/translation/wandb_record.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/recorder/translation/logged_values.h"
#include "sightline/recorder/translation/record_time.h"
#include "sightline/recorder/translation/typed_object.h"
#include "sightline/recorder/translation/wandb_facts.h"

namespace sightline {
namespace {

using wire::Field;
using wire::Scanner;
using wire::WireType;

// Record.
constexpr std::uint32_t kHistory = 2;
constexpr std::uint32_t kSummary = 3;
constexpr std::uint32_t kConfig = 5;
constexpr std::uint32_t kStats = 7;
constexpr std::uint32_t kRun = 17;
constexpr std::uint32_t kExit = 18;
constexpr std::uint32_t kEnvironment = 26;

// What other records hold; empty for those that say nothing about the training.
std::string KindOfRecord(std::uint32_t number) {
  switch (number) {
    case 6:   // Names of files.
    case 11:  // Telemetry.
    case 16:  // Control, and request.
    case 20:  // Final, header and footer.
    case 21:
    case 22:
    case 100:
    case 200:  // Of the record.
      return "";
    case 4:
    case 13:
    case 27:
      return "console";
    case 8:
    case 24:
    case 25:
      return "artifact";
    case 9:
      return "TensorBoard log";
    case 10:
      return "alert";
    case 12:
      return "metric definition";
    case 23:
      return "preemption";
    default:
      return fmt::format("record {}", number);
  }
}

// An item of history, stats, configuration or summary: a name and JSON.
struct Item {
  std::string name;
  std::string_view json;
  bool nested = false;  // The name came in parts.
};

Item ItemOf(std::string_view message) {
  Item item;
  Field field;
  for (Scanner scan(message); scan.Next(field);) {
    if (field.type != WireType::kBytes) continue;
    if (field.number == 1) item.name = field.bytes;
    if (field.number == 2) {
      if (item.nested) item.name += '.';
      item.nested = true;
      item.name += field.bytes;
    }
    if (field.number == 16) item.json = field.bytes;
  }
  return item;
}

// Whether a number is one that a step can have.
bool IsStep(double number) {
  return number >= 0 && number < 0x1p62 && std::floor(number) == number;
}

void TranslateHistory(std::string_view history, TranslatorState& state, Translation& translation) {
  LoggedValues values;
  std::optional<std::int64_t> step;
  double wall_time = 0;
  Field field;
  for (Scanner scan(history); scan.Next(field);) {
    if (field.type != WireType::kBytes) continue;
    if (field.number == 2) {
      step = 0;
      Field number;
      for (Scanner inner(field.bytes); inner.Next(number);)
        if (number.number == 1 && number.type == WireType::kVarint) step = number.AsInt64();
    }
    if (field.number != 1) continue;
    Item item = ItemOf(field.bytes);
    if (item.name == "_step") {
      if (const auto number = NumberOfJson(item.json); number && IsStep(*number) && !step)
        step = static_cast<std::int64_t>(*number);
    } else if (item.name == "_timestamp") {
      wall_time = NumberOfJson(item.json).value_or(0);
    } else if (item.name != "_runtime") {
      values.Add(std::move(item.name), item.json);
    }
  }
  state.last_step = step.value_or(state.last_step);
  translation.event = values.Take(wall_time, state.last_step, translation.unread);
}

void TranslateStats(std::string_view stats, const TranslatorState& state,
                    Translation& translation) {
  LoggedValues values;
  double wall_time = 0;
  Field field;
  for (Scanner scan(stats); scan.Next(field);) {
    if (field.type != WireType::kBytes) continue;
    if (field.number == 2) wall_time = SecondsOfTimestamp(field.bytes);
    if (field.number != 3) continue;
    const Item item = ItemOf(field.bytes);
    values.Add("system/" + item.name, item.json);
  }
  translation.event = values.Take(wall_time, state.last_step, translation.unread);
}

// Names that begin with '_' are W&B's own.
bool IsOwn(std::string_view name) { return name.empty() || name.starts_with('_'); }

void TranslateConfig(std::string_view config, Translation& translation) {
  Field field;
  for (Scanner scan(config); scan.Next(field);) {
    if (field.type != WireType::kBytes || field.number > 2) continue;
    Item item = ItemOf(field.bytes);
    if (IsOwn(item.name)) continue;
    const bool removed = field.number == 2;
    translation.settings.push_back({std::move(item.name), std::string(removed ? "" : item.json)});
  }
}

// Whether the item is a value such as a picture, or a part of one of these objects.
bool IsPart(const Item& item, const std::set<std::string, std::less<>>& objects) {
  if (IsMember(item.name, [&](std::string_view outer) { return objects.contains(outer); }))
    return true;
  return item.json.starts_with('{') && item.json.find("\"_type\"") != std::string_view::npos;
}

// What W&B computes of a series has a name in parts; what the program set has one part.
void TranslateSummary(std::string_view summary, Translation& translation) {
  std::vector<std::pair<Item, bool>> items;  // And whether it is removed.
  std::set<std::string, std::less<>> objects;
  Field field;
  for (Scanner scan(summary); scan.Next(field);) {
    if (field.type != WireType::kBytes || field.number > 2) continue;
    const auto& [item, removed] = items.emplace_back(ItemOf(field.bytes), field.number == 2);
    if (const auto object = ObjectOfType(item.name)) objects.emplace(*object);
  }
  for (const auto& [item, removed] : items) {
    if (IsOwn(item.name) || IsPart(item, objects)) continue;
    translation.settings.push_back({"summary." + item.name, std::string(removed ? "" : item.json),
                                    item.nested ? item.name : ""});
  }
}

void TranslateExit(std::string_view exit, Translation& translation) {
  std::int32_t code = 0;
  Field field;
  for (Scanner scan(exit); scan.Next(field);)
    if (field.number == 1 && field.type == WireType::kVarint) code = field.AsInt32();
  translation.settings.push_back({"run.exit_code", fmt::to_string(code)});
  translation.ends = true;
}

void TranslateRun(std::string_view run, Translation& translation) {
  AddRunFacts(run, translation);
  Field field;
  for (Scanner scan(run); scan.Next(field);) {
    if (field.type != WireType::kBytes) continue;
    if (field.number == 4) TranslateConfig(field.bytes, translation);
    if (field.number == 5) TranslateSummary(field.bytes, translation);
  }
}

}  // namespace

bool TranslateWandb(std::string_view record, TranslatorState& state, Translation& translation) {
  translation.Clear();
  Field field;
  Scanner scan(record);
  while (scan.Next(field)) {
    if (field.type != WireType::kBytes || field.number == 19) continue;  // Numbers, and an id.
    switch (field.number) {
      case kHistory:
        TranslateHistory(field.bytes, state, translation);
        break;
      case kStats:
        TranslateStats(field.bytes, state, translation);
        break;
      case kConfig:
        TranslateConfig(field.bytes, translation);
        break;
      case kSummary:
        TranslateSummary(field.bytes, translation);
        break;
      case kRun:
        TranslateRun(field.bytes, translation);
        break;
      case kEnvironment:
        AddEnvironmentFacts(field.bytes, translation);
        break;
      case kExit:
        TranslateExit(field.bytes, translation);
        break;
      default:
        if (std::string kind = KindOfRecord(field.number); !kind.empty())
          translation.unread.push_back(std::move(kind));
    }
  }
  return !scan.malformed();
}

}  // namespace sightline
