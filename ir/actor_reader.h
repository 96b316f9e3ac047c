// Reads the dumps of actor sets (actor_set/*.ir): which actors run a kernel graph, and what they
// send each other. The final set has a statement an actor; the others have sections of fields.
#pragma once

#include <string_view>

#include "sightline/ir/cursor.h"
#include "sightline/ir/module.h"

namespace sightline::ir {

// Whether the line is above the actors of a block of a set with control flow: "Base Block :
// kernel_graph_0", "Actor for func graph:NAME".
bool IsActorHeading(std::string_view line);

class ActorReader {
 public:
  ActorReader(Module& module, Cursor& cursor) : module_(module), cursor_(cursor) {}

  void Read();

 private:
  void ReadLine(std::string_view line);
  bool ReadActor(std::string_view line);
  bool ReadOperands(std::string_view& line, Range& operands);
  void AddText(LineKind kind, std::string_view text) {
    module_.lines.push_back({kind, static_cast<std::uint32_t>(module_.texts.Intern(text))});
  }

  Module& module_;
  Cursor& cursor_;
  bool attached_ = false;  // Fields belong to the last actor.
};

}  // namespace sightline::ir
