// Event files out of a grammar of what writers do (tests/runs/event_grammar.h): every way to read
// them shows the same (tests/runs/reading_ways.h).
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "sightline/tests/fuzz/repair.h"
#include "sightline/tests/runs/reading_ways.h"
#include "sightline/tests/support/support.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sightline::testing::TempDir folder;
  const std::string index = folder.path() + "/index";
  std::filesystem::remove_all(index);
  sightline::testing::Choices choices(std::string_view(reinterpret_cast<const char*>(data), size));
  const auto files = sightline::testing::MakeEventFiles(choices);
  const std::string difference = sightline::testing::DifferenceOfWays(files, choices, index);
  std::fputs(difference.c_str(), stderr);
  sightline::fuzz::Check(difference.empty(), "all ways to read a run show the same");
  return 0;
}
