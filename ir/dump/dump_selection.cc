#include "sightline/ir/dump/dump_selection.h"

#include <algorithm>

namespace sightline::ir {

bool DumpSelection::Takes(std::string_view stem) {
  // The name that is looked at ends where the running number begins.
  const std::string name = std::string(stem) + "_";
  const auto is_in_name = [&name](const std::string& pass) {
    return name.find(pass) != std::string::npos;
  };
  if (!passes_.empty() && std::none_of(passes_.begin(), passes_.end(), is_in_name)) return false;
  if (++left_out_ < interval_) return false;
  left_out_ = 0;
  return true;
}

}  // namespace sightline::ir
