// Reads the lines in front of all subgraphs, but for the lists of attributes: the entry graph's
// name, counts, and the parameters of the entry graph.
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

  // Adds the line where it is one of a header; the cursor stays. Headers of a file that is put
  // together of several are read too, but for their parameters.
  bool Read(std::string_view line);
  // A subgraph begins.
  void End() { ended_ = true; }
  bool ended() const { return ended_; }
  // At the end of the file: whether it has as many statements as the header says.
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
