// Finds the parts of a statement, "PRIM(operand, ...) primitive_attrs: {...}", in text that may
// stand for more than one: strings are not escaped, and constants span lines.
//
// A string ends at a quote in front of , ) ] } : or the end of the line. Where a string holds such
// a quote itself that is too early, which the caller sees by comparing the number of operands with
// the number of types. Then the next reading is tried: the last string of the statement ends at its
// next such quote, and when it has none left the string before it.
//
//   StatementScanner scanner;
//   scanner.Start(text);
//   do {
//     if (scanner.Scan() && Fits(scanner.operands())) return Use(scanner);
//   } while (scanner.NextReading());
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sightline/ir/model/brackets.h"

namespace sightline::ir {

class StatementScanner {
 public:
  // `text` begins with the callee and may go on behind the statement.
  void Start(std::string_view text) {
    text_ = text;
    choices_.clear();
  }

  // Scans the current reading. When false, failure() and failed_at() say why.
  bool Scan();
  // Chooses the next reading; false when there is none.
  bool NextReading();
  // Chooses the first reading again.
  void Restart() { choices_.clear(); }

  // Valid until the next Scan, after one that was true.
  std::string_view callee() const { return callee_; }
  const std::vector<std::string_view>& operands() const { return operands_; }
  // Everything behind the arguments, " primitive_attrs: {...}", and its parts: groups in braces, of
  // which each has the next `size` attributes.
  std::string_view tail() const { return tail_; }
  struct Group {
    std::string_view name;
    std::uint32_t size;
  };
  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<std::string_view>& attributes() const { return attributes_; }
  // This is how the statement is read without any doubt about its strings.
  bool is_first_reading() const {
    return std::all_of(choices_.begin(), choices_.end(), [](std::uint32_t n) { return n == 0; });
  }
  // Bytes and newlines of the statement, without the newline that ends it.
  std::size_t size() const { return static_cast<std::size_t>(at_ - text_.data()); }
  std::uint32_t newlines() const { return newlines_; }
  // A string holds lines that look like those of a dump: perhaps its end is missing.
  bool hides_lines() const { return hides_lines_; }

  const char* failure() const { return failure_; }
  std::size_t failed_at() const { return static_cast<std::size_t>(at_ - text_.data()); }

 private:
  bool ScanCallee();
  // At an opening bracket: takes what is between it and its partner, split at ", ".
  bool ScanList(std::vector<std::string_view>& items);
  bool ScanTail();
  bool ScanGroup();
  // At a byte that is not plain. False: failed.
  bool Step();
  bool SkipString();
  bool Fail(const char* reason) {
    failure_ = reason;
    return false;
  }
  const char* end() const { return text_.data() + text_.size(); }

  std::string_view text_;
  // For each string of the statement, how many possible ends are passed over.
  std::vector<std::uint32_t> choices_;
  std::size_t strings_ = 0;  // Met in this reading.
  bool exhausted_ = false;   // The last of them has no end left.

  const char* at_ = nullptr;
  BracketStack brackets_;
  std::string_view callee_;
  std::vector<std::string_view> operands_;
  std::string_view tail_;
  std::vector<Group> groups_;
  std::vector<std::string_view> attributes_;
  std::uint32_t newlines_ = 0;
  bool hides_lines_ = false;
  const char* failure_ = nullptr;
};

}  // namespace sightline::ir
