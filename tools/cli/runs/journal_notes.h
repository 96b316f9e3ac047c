// Lines about the journals beside event files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/recorder/writing/journal_owner.h"

namespace sightline {

// A line for each, after an empty one: what it is and what to do. Nothing where there are none.
std::string JournalNotes(const std::vector<LeftJournal>& journals, std::size_t indent);

// [{"journal": path, "session_id": ..., "owner": "lives"}, ...]
nlohmann::ordered_json JournalsToJson(const std::vector<LeftJournal>& journals);

}  // namespace sightline
