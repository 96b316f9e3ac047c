#include "sightline/base/text/printable.h"

#include <cstddef>

#include "sightline/base/text/control_character.h"
#include "sightline/base/utf8.h"

namespace sightline {

std::string Printable(std::string_view text) {
  std::string printable;
  const std::string valid = ToUtf8(text);
  for (std::string_view rest = valid; !rest.empty();) {
    const std::size_t control = ControlSize(rest);
    if (control > 0) {
      AppendEscape(rest.substr(0, control), printable);
    } else {
      printable += rest[0];
    }
    rest.remove_prefix(control > 0 ? control : 1);
  }
  return printable;
}

}  // namespace sightline
