#include "sightline/recorder/framing/file_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>

#include "sightline/base/ascii.h"

namespace sightline {
namespace {

constexpr std::string_view kSummaryMark = "summary.";
constexpr std::string_view kTensorBoardMark = "tfevents";
constexpr std::string_view kSummarySuffix = "_MS";
constexpr std::string_view kLineageSuffix = "_lineage";
constexpr std::string_view kExplainSuffix = "_explain";
constexpr std::string_view kWandbSuffix = ".wandb";
constexpr std::string_view kSwanLabSuffix = ".swanlab";

// Takes the digits at the front of `text`. A number that is too large for T becomes the largest T.
template <typename T>
std::optional<T> TakeNumber(std::string_view& text) {
  if (text.empty() || !IsDigit(text.front())) return std::nullopt;
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? number : std::numeric_limits<T>::max();
}

bool TakeDot(std::string_view& text) {
  if (!text.starts_with('.')) return false;
  text.remove_prefix(1);
  return true;
}

// Parses from the first "summary.<digits>" in the name.
std::optional<EventFileName> ParseMindSpore(std::string_view name) {
  if (name.ends_with(kExplainSuffix)) return std::nullopt;
  for (std::size_t at = name.find(kSummaryMark); at != std::string_view::npos;
       at = name.find(kSummaryMark, at + 1)) {
    std::string_view rest = name.substr(at + kSummaryMark.size());
    const auto seconds = TakeNumber<std::uint64_t>(rest);
    if (!seconds) continue;
    EventFileName parsed{EventFileKind::kMindSporeSummary, *seconds, std::nullopt, {}};
    if (rest.ends_with(kLineageSuffix)) {
      parsed.kind = EventFileKind::kMindSporeLineage;
      rest.remove_suffix(kLineageSuffix.size());
    } else if (rest.ends_with(kSummarySuffix)) {
      rest.remove_suffix(kSummarySuffix.size());
    }
    TakeDot(rest);
    std::string_view behind = rest;
    if (const auto device = TakeNumber<std::uint32_t>(behind); device && TakeDot(behind)) {
      parsed.device_id = *device;
      rest = behind;
    }
    parsed.hostname = rest;
    return parsed;
  }
  return std::nullopt;
}

std::optional<EventFileName> ParseTensorBoard(std::string_view name) {
  const std::size_t at = name.find(kTensorBoardMark);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = name.substr(at + kTensorBoardMark.size());
  TakeDot(rest);
  EventFileName parsed{EventFileKind::kTensorBoard, 0, std::nullopt, {}};
  if (const auto seconds = TakeNumber<std::uint64_t>(rest)) {
    parsed.seconds = *seconds;
    TakeDot(rest);
  }
  parsed.hostname = rest;
  return parsed;
}

// Replaces what a hostname must not have: a slash would make a folder, and the two marks would make
// the file one of another kind.
std::string CleanHostname(std::string_view hostname) {
  std::string clean(hostname);
  for (char& c : clean) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '.' || c == '-';
    if (!plain) c = '-';
  }
  for (const std::string_view mark : {kSummaryMark, kTensorBoardMark}) {
    for (std::size_t at = clean.find(mark); at != std::string::npos; at = clean.find(mark))
      clean[at] = '-';
  }
  return clean.empty() ? "localhost" : clean;
}

}  // namespace

std::string_view EventFileKindName(EventFileKind kind) {
  switch (kind) {
    case EventFileKind::kMindSporeSummary:
      return "MindSpore summary";
    case EventFileKind::kMindSporeLineage:
      return "MindSpore lineage";
    case EventFileKind::kTensorBoard:
      return "TensorBoard";
    case EventFileKind::kWandb:
      return "W&B";
    case EventFileKind::kSwanLab:
      return "SwanLab";
  }
  return "unknown";
}

// A hostname may contain the other dialect's mark, so the mark that comes first decides.
std::optional<EventFileName> ParseEventFileName(std::string_view name) {
  if (name.starts_with('.')) return std::nullopt;
  for (const std::string_view suffix : {".json", ".jsonl", "~"}) {
    if (name.ends_with(suffix)) return std::nullopt;
  }
  if (name.ends_with(kWandbSuffix)) return EventFileName{EventFileKind::kWandb, 0, {}, {}};
  if (name.ends_with(kSwanLabSuffix)) return EventFileName{EventFileKind::kSwanLab, 0, {}, {}};
  auto mindspore = ParseMindSpore(name);
  if (!mindspore || name.find(kTensorBoardMark) < name.find(kSummaryMark)) {
    if (auto tensorboard = ParseTensorBoard(name)) return tensorboard;
  }
  return mindspore;
}

std::string MakeEventFileName(const EventFileName& name) {
  const std::string hostname = CleanHostname(name.hostname);
  switch (name.kind) {
    case EventFileKind::kMindSporeSummary:
    case EventFileKind::kMindSporeLineage: {
      const bool lineage = name.kind == EventFileKind::kMindSporeLineage;
      return fmt::format("events.out.events.summary.{}.{}.{}{}", name.seconds,
                         name.device_id.value_or(0), hostname,
                         lineage ? kLineageSuffix : kSummarySuffix);
    }
    case EventFileKind::kTensorBoard:
      return fmt::format("events.out.tfevents.{:010}.{}", name.seconds, hostname);
    case EventFileKind::kWandb:  // Nothing makes these.
    case EventFileKind::kSwanLab:
      break;
  }
  return {};
}

bool ReadsBefore(std::string_view name_a, std::string_view name_b) {
  const auto seconds = [](std::string_view name) {
    const auto parsed = ParseEventFileName(name);
    return parsed ? parsed->seconds : 0;
  };
  return std::tuple(seconds(name_a), name_a) < std::tuple(seconds(name_b), name_b);
}

}  // namespace sightline
