// Reads the lines below a statement: types, scope, side effects, source locations. They begin with
// six blanks, and most of them repeat earlier ones.
#pragma once

#include <string_view>

#include "sightline/ir/model/line_cache.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

class NoteReader {
 public:
  explicit NoteReader(Module& module) : module_(module) {}

  // Reads a line that begins with six blanks, without newline. kUnexplained if the grammar does not
  // know it.
  Line Read(std::string_view line) {
    if (const Line* known = cache_.Find(line)) return *known;
    const Line explained = Explain(line);
    cache_.Insert(line, explained);
    return explained;
  }

 private:
  Line Explain(std::string_view line);
  Line ExplainComment(std::string_view comment);
  Line ExplainTypes(std::string_view text);
  Line Text(LineKind kind, std::string_view text) {
    return {kind, static_cast<std::uint32_t>(module_.texts.Intern(text))};
  }

  Module& module_;
  LineCache<Line> cache_;
};

// The kind of a line of types - types, devices, objects, symbolic shapes - that was taken for
// `kind` and has this text. A line without any is kTypes, which every node has.
LineKind WithType(LineKind kind, std::string_view type);

// Adds the types between brackets to the module's: "(type, type) -> (type)". False, with nothing
// added, if the brackets do not match.
bool AddTypeLine(std::string_view text, Module& module, TypeLine& types);

}  // namespace sightline::ir
