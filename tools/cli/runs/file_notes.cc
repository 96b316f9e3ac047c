#include "sightline/tools/cli/runs/file_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "sightline/runs/source/run_directories.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

constexpr std::size_t kShownNotes = 8;

}  // namespace

void PrintNotes(std::string_view verb, const std::vector<std::string>& notes) {
  for (const std::string& note : notes)
    std::fputs(fmt::format("sightline {}: {}\n", verb, Printable(note)).c_str(), stderr);
}

std::string NothingFound(const std::vector<std::string>& roots) {
  std::vector<std::string> notes;
  for (const std::string& root : roots)
    static_cast<void>(FindRunDirectories(FileSystem::Local(), root, &notes));
  std::string text = fmt::format("there are no event files in or below {}\n",
                                 Printable(fmt::to_string(fmt::join(roots, ", "))));
  for (std::size_t i = 0; i < std::min(notes.size(), kShownNotes); ++i)
    text += fmt::format("  {}\n", Printable(notes[i]));
  if (notes.size() > kShownNotes)
    text += fmt::format("  and {}\n", Count(notes.size() - kShownNotes, "more file"));
  return text;
}

}  // namespace sightline
