// What an import did. Plain data; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sightline {

struct ImportReport {
  std::uint64_t runs = 0;
  std::uint64_t points = 0;      // Of metrics.
  std::uint64_t parameters = 0;  // Of the runs that were imported, like the tags.
  std::uint64_t tags = 0;
  // Runs that were left out, by reason: "deleted run".
  std::map<std::string, std::uint64_t> left_out;
  // What was not read, by kind. Rows of a table have the name of the table.
  std::map<std::string, std::uint64_t> unread;
  std::vector<std::string> notes;  // Sentences about the store.
};

}  // namespace sightline
