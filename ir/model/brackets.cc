#include "sightline/ir/model/brackets.h"

namespace sightline::ir {
namespace {

bool IsOpener(char c) { return c == '(' || c == '[' || c == '{' || c == '<'; }
bool IsCloser(char c) { return c == ')' || c == ']' || c == '}' || c == '>'; }

}  // namespace

bool ListReader::Next(std::string_view& item) {
  if (!more_ || !ok_) return false;
  std::size_t at = 0;
  for (; at < rest_.size(); ++at) {
    const char c = rest_[at];
    if (c == ',' && brackets_.depth() == 0 && at + 1 < rest_.size() && rest_[at + 1] == ' ') break;
    if (IsOpener(c)) {
      ok_ = brackets_.Open(c);
    } else if (IsCloser(c)) {
      ok_ = brackets_.Close(c);
    }
    if (!ok_) return false;
  }
  ok_ = brackets_.depth() == 0;
  item = rest_.substr(0, at);
  more_ = at < rest_.size();
  if (more_) rest_.remove_prefix(at + 2);
  return ok_;
}

std::size_t BracketedSize(std::string_view text) {
  BracketStack brackets;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (IsOpener(c)) {
      if (!brackets.Open(c)) return 0;
    } else if (IsCloser(c)) {
      if (!brackets.Close(c)) return 0;
      if (brackets.depth() == 0) return at + 1;
    }
    if (brackets.depth() == 0) return 0;
  }
  return 0;
}

}  // namespace sightline::ir
