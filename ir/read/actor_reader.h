// Reads the dumps of actor sets (actor_set/*.ir): the actors that run a kernel graph, and what they
// send each other. The final set has a statement for each actor; other sets have sections of
// fields.
#pragma once

#include <string_view>

#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/line_adder.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

// Whether the line introduces the actors of a block, in a set with control flow: "Base Block :
// kernel_graph_0", "Actor for func graph:NAME".
bool IsActorHeading(std::string_view line);

class ActorReader {
 public:
  ActorReader(Module& module, Cursor& cursor) : module_(module), cursor_(cursor), lines_(module) {}

  void Read();

 private:
  void ReadLine(std::string_view line);
  bool ReadActor(std::string_view line);
  bool ReadOperands(std::string_view& line, Range& operands);

  Module& module_;
  Cursor& cursor_;
  LineAdder lines_;
  bool attached_ = false;  // Fields belong to the last actor.
};

}  // namespace sightline::ir
