// Reads what DumpIR writes - header, subgraphs, statements - in all its variants, and the report of
// a compile error, which contains such graphs (analyze_fail.ir).
#pragma once

#include <string_view>

#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/line_adder.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/read/header_reader.h"
#include "sightline/ir/read/statement_reader.h"

namespace sightline::ir {

class GraphReader {
 public:
  // The cursor's text must outlive the reader.
  GraphReader(Module& module, Cursor& cursor)
      : module_(module),
        cursor_(cursor),
        lines_(module),
        header_(module, cursor),
        statements_(module, cursor) {}

  void Read();

 private:
  // Which part of the file the lines belong to, if their text alone does not tell.
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
  // Each adds the line and returns true if it is one of its kind.
  bool ReadBodyLine(std::string_view line);
  bool ReadHeading(std::string_view line);
  bool ReadHeader(std::string_view line);
  bool ReadSubgraph(std::string_view line);
  bool ReadSubgraphWord(std::string_view line);
  bool ReadComment(std::string_view line);
  bool ReadParameterTypes(std::string_view line);
  bool ReadAttribute(std::string_view line);
  void StartAttributes(Range& attributes);
  void EndSubgraph();
  TextId Intern(std::string_view text) { return module_.texts.Intern(text); }

  Module& module_;
  Cursor& cursor_;
  LineAdder lines_;
  HeaderReader header_;
  StatementReader statements_;
  Section section_ = Section::kTop;
  Subgraph next_;  // The lines so far about the subgraph that follows.
  TypeLine parameter_types_;
  Range* attributes_ = nullptr;  // Where attribute lines are counted.
};

}  // namespace sightline::ir
