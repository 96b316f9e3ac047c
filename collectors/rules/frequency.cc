#include "sightline/collectors/rules/frequency.h"

#include <fmt/format.h>

#include <algorithm>

#include "sightline/base/faults.h"
#include "sightline/base/pattern/name_pattern.h"

namespace sightline {
namespace {

constexpr double kShortest = 0.001;
constexpr double kLongest = 1e9;

void Check(const Frequency& frequency, std::string_view name, Faults& faults) {
  if (!frequency.kind && frequency.tag.empty())
    faults.Add("{} has neither kind nor tag, but must say of which values it is", name);
  if (frequency.kind && std::find(std::begin(kStepKinds), std::end(kStepKinds), *frequency.kind) ==
                            std::end(kStepKinds)) {
    faults.Add("{}.kind must be scalar, histogram, image or tensor", name);
  }
  if (!frequency.every_steps && !frequency.every_seconds && !frequency.first_steps)
    faults.Add("{} has none of every_steps, every_seconds and first_steps", name);
  if (frequency.every_steps)
    faults.AtLeastOne(fmt::format("{}.every_steps", name), *frequency.every_steps, "step");
  if (frequency.first_steps)
    faults.AtLeastOne(fmt::format("{}.first_steps", name), *frequency.first_steps, "step");
  if (const auto seconds = frequency.every_seconds;
      seconds && !(*seconds >= kShortest && *seconds <= kLongest)) {
    faults.Add("{}.every_seconds is {}, but must be a number of seconds, {} to 1e9", name, *seconds,
               kShortest);
  }
  if (const auto pattern = NamePattern::Make(fmt::format("{}.tag", name), frequency.tag); !pattern)
    faults.Add(pattern.error());
}

}  // namespace

Status CheckFrequencies(const std::vector<Frequency>& frequencies) {
  Faults faults;
  if (frequencies.size() > kMaxFrequencies) {
    faults.Add("frequencies has {} entries, but can have {}", frequencies.size(), kMaxFrequencies);
  }
  for (std::size_t i = 0; i < std::min(frequencies.size(), kMaxFrequencies); ++i)
    Check(frequencies[i], fmt::format("frequencies[{}]", i), faults);
  return faults.ToStatus();
}

}  // namespace sightline
