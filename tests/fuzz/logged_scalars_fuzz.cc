// Consoles and text logs of arbitrary bytes. Where the pieces end makes no difference, and what is
// read is bounded by the text.
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/runs/compare/logged_scalars.h"
#include "sightline/tests/fuzz/repair.h"

using sightline::Comparand;
using sightline::LoggedScalars;
using sightline::fuzz::Check;

namespace {

Comparand ReadInTwo(std::string_view text, std::size_t cut) {
  auto scalars = LoggedScalars::Make(R"(at (?P<step>\S+) is (?P<loss>\S+))");
  Check(scalars.has_value(), "the pattern is one");
  scalars->Read(text.substr(0, cut));
  scalars->Read(text.substr(cut));
  return scalars->Finish("log");
}

void CheckEqual(const Comparand& a, const Comparand& b) {
  Check(a.tags.size() == b.tags.size(), "as many tags");
  for (std::size_t i = 0; i < a.tags.size(); ++i) {
    Check(a.tags[i].tag == b.tags[i].tag, "the same tags");
    const auto values = a.tags[i].ranks.at(0)->values();
    const auto others = b.tags[i].ranks.at(0)->values();
    Check(values.size() == others.size(), "as many values");
    for (std::size_t at = 0; at < values.size(); ++at) {
      Check(std::bit_cast<std::uint64_t>(values[at]) == std::bit_cast<std::uint64_t>(others[at]),
            "the same values");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Comparand whole = ReadInTwo(text, 0);
  CheckEqual(whole, ReadInTwo(text, text.size() * data[0] / 256));
  std::size_t values = 0;
  for (const auto& tag : whole.tags) {
    Check(!tag.tag.empty() && tag.tag.size() <= LoggedScalars::kLongestTag, "a tag is short");
    values += tag.ranks.at(0)->size();
  }
  Check(2 * values <= text.size(), "a value takes two bytes");
  static_cast<void>(sightline::ReadTrainerState(text, "state"));
  return 0;
}
