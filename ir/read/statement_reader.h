// Reads statements - "%3(CNode_12) = PRIM(...)" and "Return(...)" - with the lines below them.
#pragma once

#include <cstdint>
#include <string_view>

#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/line_cache.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/read/note_reader.h"
#include "sightline/ir/read/statement_scanner.h"

namespace sightline::ir {

class StatementReader {
 public:
  // The cursor's text must outlive the reader.
  StatementReader(Module& module, Cursor& cursor)
      : module_(module), cursor_(cursor), notes_(module) {}

  // %N of the next statement is expected to be 0.
  void StartSubgraph() { next_number_ = 0; }
  // Call it at a line that begins with "  %" or "  Return(". If the line is not a statement,
  // returns false, skips nothing and reports the reason.
  bool ReadStatement();
  // Call it at a line that begins with six blanks. The line belongs to the last statement unless an
  // unexplained line came between.
  void ReadNote();
  void DetachNotes() { attached_ = false; }

 private:
  // "  %3(CNode_12) = ": returns its size, 0 if it is something else.
  std::size_t ReadHead(std::string_view line, Node& node);
  bool ChooseReading(const Node& node, std::string_view text, std::size_t line_size);
  bool IsFollowed(const Node& node, std::string_view text);
  bool Fits(const Node& node, std::string_view text);
  void CheckNumbers(const Node& node);
  void AddOperands(Node& node);
  Operand ToOperand(std::string_view text);
  void SetCallee(Node& node);
  std::uint32_t Attributes();
  TextId Intern(std::string_view text) { return module_.texts.Intern(text); }

  Module& module_;
  Cursor& cursor_;
  NoteReader notes_;
  StatementScanner scanner_;
  LineCache<std::uint32_t> attributes_;
  std::uint32_t next_number_ = 0;
  bool attached_ = false;
  // The types below the statement, after a reading was chosen that fits them.
  bool has_types_ = false;
  std::uint32_t inputs_ = 0;
  // How many bytes may still be scanned in the search for readings that fit. The limit keeps the
  // time for a damaged file in proportion to its size.
  std::int64_t budget_ = 1 << 20;
};

}  // namespace sightline::ir
