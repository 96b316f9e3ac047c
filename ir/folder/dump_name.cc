#include "sightline/ir/folder/dump_name.h"

#include <algorithm>
#include <array>

#include "sightline/base/ascii.h"
#include "sightline/base/parse_number.h"
#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/noise.h"

namespace sightline::ir {
namespace {

constexpr std::size_t kNumberDigits = 4;  // At least.
constexpr std::string_view kTrace = "trace_code_graph";

// Takes "_0312" from the end of `stem`.
std::optional<std::uint64_t> TakeNumber(std::string_view& stem) {
  const std::size_t underscore = stem.rfind('_');
  if (underscore == std::string_view::npos) return std::nullopt;
  const std::string_view digits = stem.substr(underscore + 1);
  const auto number = sightline::ParseNumber<std::uint64_t>(digits);
  if (digits.size() < kNumberDigits || !number) return std::nullopt;
  stem = stem.substr(0, underscore);
  return number;
}

// "20_validate": two digits.
std::optional<std::uint32_t> Stage(std::string_view stem) {
  if (stem.size() < 4 || !IsDigit(stem[0]) || !IsDigit(stem[1]) || stem[2] != '_')
    return std::nullopt;
  return static_cast<std::uint32_t>((stem[0] - '0') * 10 + (stem[1] - '0'));
}

// "opt_a.r1.a_2.inline"
bool IsSubstitution(std::string_view stem) {
  const std::size_t round = stem.find(".r");
  return round != std::string_view::npos && round + 2 < stem.size() && IsDigit(stem[round + 2]) &&
         stem.find('.', round + 2) != std::string_view::npos;
}

bool StartsWithOneOf(std::string_view stem, const auto& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [stem](std::string_view prefix) { return stem.starts_with(prefix); });
}

DumpKind KindOf(std::string_view stem) {
  constexpr std::array<std::string_view, 4> kKernelGraph = {"hwopt_", "graph_before_reset_id_",
                                                            "graph_build_", kTrace};
  if (stem.starts_with("opt_pass_")) return DumpKind::kPass;
  if (stem.starts_with("opt_substep_")) return DumpKind::kSubstep;
  if (StartsWithOneOf(stem, kKernelGraph)) return DumpKind::kKernelGraph;
  if (stem.find("actor_set") != std::string_view::npos) return DumpKind::kActors;
  if (stem == "analyze_fail") return DumpKind::kFailure;
  return IsSubstitution(stem) ? DumpKind::kSubstitution : DumpKind::kOther;
}

}  // namespace

bool IsOfCompilation(DumpKind kind) {
  switch (kind) {
    case DumpKind::kStage:
    case DumpKind::kPass:
    case DumpKind::kSubstep:
    case DumpKind::kSubstitution:
      return true;
    case DumpKind::kKernelGraph:
    case DumpKind::kOther:
    case DumpKind::kActors:
    case DumpKind::kFailure:
      break;
  }
  return false;
}

std::optional<DumpName> ParseDumpName(std::string_view file_name) {
  DumpName name;
  ConsumeSuffix(file_name, ".gz");
  const bool text = ConsumeSuffix(file_name, ".ir");
  name.number = TakeNumber(file_name);
  if (!text && (!name.number || file_name != kTrace)) return std::nullopt;
  name.stem = file_name;
  if (const auto stage = Stage(file_name)) {
    name.kind = DumpKind::kStage;
    name.stage = *stage;
  } else {
    name.kind = KindOf(file_name);
  }
  return name;
}

std::string_view KernelStep(const DumpName& name) {
  const std::string_view stem = name.stem;
  if (const std::size_t graph = stem.find("_kernel_graph"); graph != std::string_view::npos)
    return stem.substr(0, graph);
  if (const std::size_t graph = stem.find("_graph_");
      graph != std::string_view::npos && stem.starts_with("hwopt_"))
    return stem.substr(0, graph);
  return stem.substr(0, stem.find_last_not_of("0123456789") + 1);
}

std::string PassName(const DumpName& name) {
  std::string_view stem = name.stem;
  switch (name.kind) {
    case DumpKind::kStage:
      return std::string(stem.substr(3));
    case DumpKind::kPass:
      Consume(stem, "opt_pass_");
      ConsumeNumber(stem);
      Consume(stem, "_");
      return "opt_pass " + std::string(stem);
    case DumpKind::kSubstep: {
      // "opt_substep_opt_a_r1_j0_3_a_1" without the 3.
      std::size_t number = stem.find("_j");
      number = stem.find('_', number == std::string_view::npos ? number : number + 2);
      if (number == std::string_view::npos) break;
      std::string_view step = stem.substr(number + 1);
      ConsumeNumber(step);
      return std::string(stem.substr(0, number)) + std::string(step);
    }
    case DumpKind::kKernelGraph:
      stem = KernelStep(name);
      break;
    case DumpKind::kSubstitution:
      return std::string(stem);
    case DumpKind::kOther:
    case DumpKind::kActors:
    case DumpKind::kFailure:
      break;
  }
  std::string without_ids;
  WithoutIds(stem, without_ids);
  return without_ids;
}

}  // namespace sightline::ir
