#include "sightline/base/process_rank.h"

#include <cstdlib>
#include <initializer_list>

#include "sightline/base/ascii.h"
#include "sightline/base/parse_number.h"

namespace sightline {
namespace {

std::optional<std::int64_t> NumberOf(const char* variable, std::int64_t least) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const auto number = ParseNumber<std::int64_t>(text);
  return number && *number >= least ? number : std::nullopt;
}

std::optional<std::int64_t> FirstNumberOf(std::initializer_list<const char*> variables,
                                          const char* of_worker, std::int64_t least) {
  for (const char* variable : variables)
    if (const auto number = NumberOf(variable, least)) return number;
  // The scheduler has the same variables, and is not a process of the training.
  const char* const role = std::getenv("MS_ROLE");
  if (role == nullptr || std::string_view(role) != "MS_WORKER") return std::nullopt;
  return NumberOf(of_worker, least);
}

}  // namespace

std::optional<std::int64_t> RankOfEnvironment() {
  return FirstNumberOf({"RANK_ID", "OMPI_COMM_WORLD_RANK", "RANK", "PMI_RANK", "SLURM_PROCID"},
                       "MS_NODE_ID", 0);
}

std::optional<std::int64_t> WorldSizeOfEnvironment() {
  return FirstNumberOf(
      {"RANK_SIZE", "OMPI_COMM_WORLD_SIZE", "WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"},
      "MS_WORKER_NUM", 1);
}

std::optional<std::int64_t> RankInName(std::string_view name) {
  name = name.substr(0, name.find('.'));
  constexpr std::string_view kWord = "rank";
  const std::size_t at = name.rfind(kWord);
  if (at == std::string_view::npos) return std::nullopt;
  if (at > 0 && (IsLetter(name[at - 1]) || IsDigit(name[at - 1])))
    return std::nullopt;  // "frank_3"
  std::string_view number = name.substr(at + kWord.size());
  if (number.starts_with('_') || number.starts_with('-')) number.remove_prefix(1);
  if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  return ParseNumber<std::int64_t>(number);
}

std::optional<std::int64_t> RankInPath(std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = path.rfind('/');
    const bool first = slash == std::string_view::npos;
    if (const auto rank = RankInName(first ? path : path.substr(slash + 1))) return rank;
    path = first ? std::string_view() : path.substr(0, slash);
  }
  return std::nullopt;
}

}  // namespace sightline
