// Brackets in texts: which are open, and where a list in brackets is split.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sightline::ir {

// The open brackets of a text, up to a depth that no dump reaches.
class BracketStack {
 public:
  static constexpr std::size_t kMaxDepth = 256;

  // False if too many are open.
  bool Open(char bracket) {
    if (depth_ == kMaxDepth) return false;
    closers_[depth_++] = bracket == '(' ? ')' : static_cast<char>(bracket + 2);  // [] {} <>
    return true;
  }
  // False if `bracket` does not match the last open one.
  bool Close(char bracket) { return depth_ > 0 && closers_[--depth_] == bracket; }
  std::size_t depth() const { return depth_; }
  void Clear() { depth_ = 0; }

 private:
  std::array<char, kMaxDepth> closers_{};
  std::size_t depth_ = 0;
};

// Takes the items of a list one by one: splits at ", " outside of all brackets, including <>.
//
//   ListReader list("<Tensor[Float32], (2, 3)>, <Int64, NoShape>");
//   for (std::string_view item; list.Next(item);) ...
//   if (!list.ok()) ...  // Brackets do not match.
class ListReader {
 public:
  explicit ListReader(std::string_view text) : rest_(text), more_(!text.empty()) {}

  bool Next(std::string_view& item);
  bool ok() const { return ok_; }

 private:
  std::string_view rest_;
  BracketStack brackets_;
  bool more_;
  bool ok_ = true;
};

// The size of the bracketed text at the front of `text`, brackets included; 0 if it does not begin
// with a bracket, or the bracket is not closed.
std::size_t BracketedSize(std::string_view text);

}  // namespace sightline::ir
