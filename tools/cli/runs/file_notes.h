// Lines about files that are not event files, though their names are those of event files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sightline {

// Prints "sightline VERB: NOTE" for each note to stderr.
void PrintNotes(std::string_view verb, const std::vector<std::string>& notes);

// Why no run was found: "there are no event files in or below ROOT, ROOT", with a line for each
// file that is not one despite its name.
std::string NothingFound(const std::vector<std::string>& roots);

}  // namespace sightline
