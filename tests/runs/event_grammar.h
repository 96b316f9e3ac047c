// EventGrammar: event files out of random choices, with what writers are known to do: metadata only
// in a tag's first value, sessions and restarts, values of all plugins in both forms, several
// images in a tensor, damage, files that are cut. A fuzzer's input or a seed is the choices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::testing {

// Reads choices from bytes; after their end every choice is the first one.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}

  // 0 to `count` - 1. REQUIRES: 1 <= count <= 65536.
  std::uint32_t Below(std::uint32_t count);
  bool OneIn(std::uint32_t count) { return Below(count) == count - 1; }
  bool empty() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

struct GrammarFile {
  std::string name;
  std::string bytes;
};

// The event files of one directory: one to three, of at most 40 records each.
std::vector<GrammarFile> MakeEventFiles(Choices& choices);

}  // namespace sightline::testing
