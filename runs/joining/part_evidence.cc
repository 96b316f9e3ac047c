#include "sightline/runs/joining/part_evidence.h"

#include <algorithm>
#include <utility>

#include "sightline/base/ascii.h"
#include "sightline/base/file_system.h"
#include "sightline/base/process_rank.h"
#include "sightline/recorder/framing/file_name.h"

namespace sightline {
namespace {

// "host.123.0" is torch's, "host.123.5.v2" TensorFlow's; "host" alone is tensorboardX's.
FileWriter WriterOf(const std::string& path) {
  const auto name = ParseEventFileName(BaseName(path));
  if (!name || name->kind != EventFileKind::kTensorBoard) return {};
  std::string_view rest = name->hostname;
  if (rest.ends_with(".v2")) rest.remove_suffix(3);
  std::vector<std::string_view> numbers;  // From the end.
  while (numbers.size() < 2) {
    const std::size_t dot = rest.rfind('.');
    if (dot == std::string_view::npos) break;
    const std::string_view number = rest.substr(dot + 1);
    if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos) break;
    numbers.push_back(number);
    rest = rest.substr(0, dot);
  }
  if (numbers.size() < 2) return {name->hostname, ""};
  return {std::string(rest), std::string(numbers[1])};
}

// Adds what the sessions say. Directories with several ranks, or several sizes, are no part.
void AddRank(std::string_view name, const Run& run, PartEvidence& evidence) {
  for (const RunSession& one : run.sessions()) {
    const Session& session = one.session;
    if (session.world_size <= 1) continue;
    const bool agrees = !evidence.world_size || (*evidence.world_size == session.world_size &&
                                                 evidence.rank == session.rank);
    if (!agrees) {
      evidence.rank.reset();
      evidence.world_size.reset();
      return;
    }
    evidence.world_size = session.world_size;
    evidence.rank = session.rank;
  }
  if (!evidence.world_size) evidence.rank = RankOfFolder(BaseName(name));
  const auto of_file = [](const RunFile& file) { return file.rank; };
  const auto [low, high] = std::minmax_element(
      run.files().begin(), run.files().end(),
      [&](const RunFile& a, const RunFile& b) { return of_file(a) < of_file(b); });
  if (low->rank != high->rank) evidence.rank.reset();
}

bool IsOrdinary(unsigned char c) {
  // Letters outside ASCII are letters to the writers as well.
  return c >= 0x80 || IsLetter(static_cast<char>(c)) || IsDigit(static_cast<char>(c)) || c == '-' ||
         c == '_' || c == '.' || c == '/';
}

// Whether `name`, a part of a path, is what a writer made of the main tag of `tag`.
bool IsNamed(std::string_view name, std::string_view tag, bool by_torch) {
  if (name.size() != tag.size()) return false;
  for (std::size_t i = 0; i < tag.size(); ++i) {
    const bool same = name[i] == tag[i] || (by_torch && tag[i] == '/' && name[i] == '_') ||
                      (tag[i] == '_' && !IsOrdinary(static_cast<unsigned char>(name[i])));
    if (!same) return false;
  }
  return true;
}

}  // namespace

std::optional<std::int32_t> RankOfFolder(std::string_view name) {
  constexpr std::string_view kWord = "rank";
  if (!name.starts_with(kWord) || name.find('.') != std::string_view::npos) return std::nullopt;
  const auto rank = RankInName(name);
  if (!rank || *rank > INT32_MAX) return std::nullopt;
  // "rank_rank_3" is no name of a rank's folder.
  if (name.find_first_not_of("0123456789_-", kWord.size()) != std::string_view::npos)
    return std::nullopt;
  return static_cast<std::int32_t>(*rank);
}

std::optional<CurveName> CurveNameOf(std::string_view below, std::string_view tag) {
  if (tag.empty() || below.size() < tag.size() + 2) return std::nullopt;
  const char between = below[tag.size()];
  const bool by_torch = between == '_';
  if (!by_torch && between != '/') return std::nullopt;
  if (!IsNamed(below.substr(0, tag.size()), tag, by_torch)) return std::nullopt;
  return CurveName{std::string(below.substr(tag.size() + 1)), by_torch};
}

PartEvidence EvidenceOf(std::string_view name, const Run& run) {
  PartEvidence evidence;
  for (const RunFile& file : run.files()) {
    if (!file.foreign_type.empty()) continue;
    evidence.writers.push_back(WriterOf(file.path));
    if (file.records > 1 && file.first_wall_time && file.last_wall_time)
      evidence.recorded.push_back({*file.first_wall_time, *file.last_wall_time});
  }
  AddRank(name, run, evidence);
  const auto series = run.series();
  if (series.size() == 1 && series[0]->is_scalar()) evidence.only_tag = series[0]->key().tag;
  return evidence;
}

}  // namespace sightline
