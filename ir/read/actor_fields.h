// Parses lines of actor sets: their fields, and the actors that they name. Private to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sightline/ir/model/index_lists.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

struct Field {
  std::string_view key;
  std::string_view value;
};

// "key:value"; "# key : value" of the final set. Blanks around both do not count.
Field ToField(std::string_view text);

// The fields of a line of a section, and the number of tabs before them: 1 for an actor, 2 for its
// fields and lists, 3 and more for the content of these.
struct FieldLine {
  std::ptrdiff_t depth = 0;
  std::vector<Field> fields;
};
FieldLine ToFieldLine(std::string_view line);

// Whether the line begins an actor: "actor_name:NAME".
bool StartsActor(const FieldLine& line);

// Whether the field's value is the name of an actor.
bool NamesActor(std::string_view key);

// The value of a field below an actor of the final set; empty if there is no such field.
std::string_view FindField(const Module& module, const Actor& actor, std::string_view key);

// The name of an actor of the final set that all forms share: "0_Default/f-Dense/MatMul-op0" for
// "kernel_graph0:MatMul-op0".
std::string_view ActorName(const Module& module, const Actor& actor);

// Finds the actors that the operands of a final set name. The module must outlive it.
class ActorNames {
 public:
  explicit ActorNames(const Module& module);

  struct Source {
    std::uint32_t actor = kNoIndex;  // Of module.actors; kNoIndex: the operand names none.
    std::string_view output;         // "[0]"; may be empty.
  };
  // "%3", "%3[0]", or "%NAME" of an actor that may come later.
  Source Find(const Operand& operand) const;

 private:
  const Module& module_;
  std::unordered_map<std::uint32_t, std::uint32_t> by_number_;
  std::unordered_map<std::string_view, std::uint32_t> by_name_;
};

}  // namespace sightline::ir
