#include "sightline/profiler/import/source/csv_rows.h"

#include <algorithm>

namespace sightline::profiler {
namespace {

std::string WithoutDoubledQuotes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') ++i;
  }
  return out;
}

// The position after the quote that ends the text that begins at `from`; npos if there is no such
// quote.
std::size_t FindQuotedEnd(std::string_view text, std::size_t from, bool& doubled) {
  for (std::size_t at = from;;) {
    at = text.find('"', at);
    if (at == std::string_view::npos || at + 1 == text.size()) return at;
    if (text[at + 1] != '"') return at;
    doubled = true;
    at += 2;
  }
}

}  // namespace

bool CsvRows::Next() {
  for (;;) {
    std::size_t taken = Split(window_.rest(), false);
    while (taken == 0) {
      if (!window_.More()) {
        if (window_.rest().empty()) return false;
        taken = Split(window_.rest(), true);
        break;
      }
      taken = Split(window_.rest(), false);
    }
    window_.Skip(taken);
    if (cells_.size() > 1 || (cells_.size() == 1 && !cells_.front().empty())) return true;
  }
}

std::size_t CsvRows::Split(std::string_view text, bool is_all) {
  cells_.clear();
  unquoted_.clear();
  for (std::size_t at = 0;;) {
    std::string_view cell;
    if (at < text.size() && text[at] == '"') {
      bool doubled = false;
      std::size_t end = FindQuotedEnd(text, at + 1, doubled);
      // A quote at the very end may be the first of two.
      if (!is_all && (end == std::string_view::npos || end + 1 == text.size())) return 0;
      end = std::min(end, text.size());
      cell = text.substr(at + 1, end - at - 1);
      if (doubled) cell = unquoted_.emplace_back(WithoutDoubledQuotes(cell));
      at = std::min(end + 1, text.size());
    }
    std::size_t stop = text.find_first_of(",\n", at);
    if (stop == std::string_view::npos) {
      if (!is_all) return 0;
      stop = text.size();
    }
    if (cell.data() == nullptr) cell = text.substr(at, stop - at);
    const bool row_ends = stop == text.size() || text[stop] == '\n';
    if (row_ends && cell.ends_with('\r')) cell.remove_suffix(1);
    cells_.push_back(cell);
    at = std::min(stop + 1, text.size());
    if (row_ends) return at;
  }
}

std::size_t CsvRows::FindColumn(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    const auto found = std::find(cells_.begin(), cells_.end(), name);
    if (found != cells_.end()) return static_cast<std::size_t>(found - cells_.begin());
  }
  return kNoColumn;
}

}  // namespace sightline::profiler
