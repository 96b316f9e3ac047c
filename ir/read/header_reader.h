// Reads the lines before the first subgraph: the entry graph's name and parameters, and the counts,
// but not the lists of attributes.
#pragma once

#include <cstdint>
#include <string_view>

#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/line_adder.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

class HeaderReader {
 public:
  HeaderReader(Module& module, Cursor& cursor) : module_(module), cursor_(cursor), lines_(module) {}

  // Adds the line if it belongs to a header; the cursor does not move. In a file that was put
  // together from several, later headers are read, too, but without their parameters.
  bool Read(std::string_view line);
  // A subgraph begins.
  void End() { ended_ = true; }
  bool ended() const { return ended_; }
  // At the end of the file: checks that it has as many statements as the header says.
  void CheckTotals();

 private:
  bool ReadTotal(std::string_view line);
  bool ReadParameter(std::string_view line);

  Module& module_;
  Cursor& cursor_;
  LineAdder lines_;
  bool ended_ = false;
  std::uint32_t totals_line_ = 0;  // Of the file: "Total number of cnodes".
};

}  // namespace sightline::ir
