#include "sightline/ir/dump/dump_point.h"

#include <fmt/format.h>

namespace sightline::ir {
namespace {

// File systems take 255 bytes; the number, the longest extension and a temporary one come after it.
constexpr std::size_t kMostStemBytes = 200;

std::string FileStem(std::string_view name) {
  std::string stem;
  for (const char c : name) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    stem += control || c == '/' || c == ' ' ? '_' : c;
  }
  if (stem.size() <= kMostStemBytes) return stem;
  std::size_t end = kMostStemBytes;
  // Not within a character of several bytes.
  while (end > 0 && (static_cast<unsigned char>(stem[end]) & 0xc0) == 0x80) --end;
  stem.resize(end);
  return stem;
}

}  // namespace

DumpPoint DumpPoint::Substep(std::string_view optimizer, int round, int jump, int index,
                             std::string_view name) {
  return {DumpKind::kSubstep, 3,
          fmt::format("opt_substep_{}_r{}_j{}_{}_{}", optimizer, round, jump, index, name)};
}

DumpPoint DumpPoint::Substitution(std::string_view optimizer, int round, std::string_view step,
                                  std::string_view name) {
  return {DumpKind::kSubstitution, 3, fmt::format("{}.r{}.{}.{}", optimizer, round, step, name)};
}

std::string DumpNamer::StemOf(const DumpPoint& point) const {
  switch (point.kind()) {
    case DumpKind::kStage:
      return FileStem(fmt::format("{:02}_{}", stage_, point.name()));
    case DumpKind::kPass:
      return FileStem(fmt::format("opt_pass_{}_{}", pass_, point.name()));
    case DumpKind::kSubstep:
    case DumpKind::kSubstitution:
    case DumpKind::kKernelGraph:
    case DumpKind::kOther:
    case DumpKind::kActors:
    case DumpKind::kFailure:
      break;
  }
  return FileStem(point.name());
}

std::string DumpNamer::Next(const DumpPoint& point) {
  stem_ = StemOf(point);
  if (point.kind() == DumpKind::kOther) stem_.insert(0, "verbose_ir_files/");
  if (point.kind() == DumpKind::kPass) ++pass_;
  if (point.kind() == DumpKind::kStage) {
    ++stage_;
    pass_ = 0;
  }
  return Twin();
}

std::string DumpNamer::Twin() { return fmt::format("{}_{:04}", stem_, number_++); }

}  // namespace sightline::ir
