// Reads what DumpIR writes - header, subgraphs, statements - in all its variants, and the failure
// report that holds such graphs (analyze_fail.ir).
#pragma once

#include <string_view>

#include "sightline/ir/cursor.h"
#include "sightline/ir/module.h"
#include "sightline/ir/statement_reader.h"

namespace sightline::ir {

class GraphReader {
 public:
  // The cursor's text must outlive the reader.
  GraphReader(Module& module, Cursor& cursor)
      : module_(module), cursor_(cursor), statements_(module, cursor) {}

  void Read();

 private:
  // What the lines are about, where their text alone does not say.
  enum class Section : std::uint8_t {
    kReport,      // Of analyze_fail.ir, before the header.
    kTop,         // Between subgraphs.
    kAttributes,  // "KEY: VALUE" lines
    kJitConfig,
    kBody,    // Between "subgraph @... {" and "}".
    kOrder,   // Below "# Order:".
    kEngine,  // Between "SymbolEngine_... {" and "}".
  };

  void ReadLine();
  bool ReadBodyLine(std::string_view line);
  bool ReadComment(std::string_view line);
  bool ReadTotal(std::string_view line);
  bool ReadParameter(std::string_view line);
  bool ReadVersion1(std::string_view line);
  bool ReadParameterTypes(std::string_view line);
  bool ReadSubgraph(std::string_view line);
  bool ReadSubgraphWord(std::string_view line);
  bool ReadHeading(std::string_view line);
  void StartAttributes(Range& attributes);
  bool ReadAttribute(std::string_view line);
  void ReadBlankLines();
  void CheckTotals();

  // Each adds a line and is true, so that it can end a reading function.
  bool Add(LineKind kind, std::uint32_t index);
  bool AddText(LineKind kind, std::string_view text);
  bool AddNumber(LineKind kind, std::string_view number, std::optional<std::uint32_t>* total);
  TextId Intern(std::string_view text) { return module_.texts.Intern(text); }

  Module& module_;
  Cursor& cursor_;
  StatementReader statements_;
  Section section_ = Section::kTop;
  bool in_header_ = true;  // No subgraph was read yet.
  Subgraph next_;          // What was said about the subgraph that follows.
  TypeLine parameter_types_;
  Range* attributes_ = nullptr;    // Where attribute lines are counted.
  std::uint32_t totals_line_ = 0;  // Of the file: "Total number of cnodes".
};

}  // namespace sightline::ir
