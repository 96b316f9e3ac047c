// Configurations of arbitrary text, as Python's repr or JSON. What is read stays within its bounds,
// a query can take every name, and reading it again gives the same.
#include <string>
#include <string_view>

#include "sightline/runs/reading/literal_settings.h"
#include "sightline/tests/fuzz/repair.h"

using sightline::fuzz::Check;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sightline::RunLineage settings;
  sightline::AddSettings("a", text, settings);
  Check(settings.size() <= sightline::kMostSettings, "they are bounded");
  std::size_t bytes = 0;
  for (const auto& [name, value] : settings) {
    Check(name.starts_with('a') && name.find_first_of(" '\"{}[](),:-") == std::string::npos,
          "a name can be asked for");
    if (const auto* held = std::get_if<std::string>(&value)) bytes += held->size();
  }
  Check(bytes <= 4 * size + 4, "values do not multiply");
  const std::size_t count = settings.size();
  sightline::AddSettings("a", text, settings);
  Check(settings.size() == count, "the same names again");
  if (sightline::IsDict(text)) Check(settings.begin()->first != "a", "a dict has names");
  return 0;
}
