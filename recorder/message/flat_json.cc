#include "sightline/recorder/message/flat_json.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

namespace sightline {
namespace {

class Reader : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::map<std::string, FlatJsonField> Take() { return std::move(fields_); }

  bool null() override { return Put("null", false); }
  bool boolean(bool flag) override { return Put(flag ? "true" : "false", false); }
  bool number_integer(std::int64_t number) override {
    return Put(fmt::format("{}", number), false);
  }
  bool number_unsigned(std::uint64_t number) override {
    return Put(fmt::format("{}", number), false);
  }
  bool number_float(double /*number*/, const std::string& text) override {
    return Put(text, false);
  }
  bool string(std::string& text) override { return Put(text, true); }
  bool binary(nlohmann::json::binary_t& /*bytes*/) override { return false; }

  bool start_object(std::size_t /*size*/) override {
    ++depth_;
    return true;
  }
  bool key(std::string& name) override {
    if (depth_ == 1) field_ = &(fields_[name] = {});
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t /*size*/) override {
    if (depth_ == 0) return false;  // No object.
    if (depth_ == 1) field_->is_list = true;
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::json::exception& /*error*/) override {
    return false;
  }

 private:
  bool Put(const std::string& text, bool is_text) {
    if (depth_ == 0) return false;
    if (depth_ == 1 || (depth_ == 2 && field_->is_list)) {
      field_->values.push_back(text);
      field_->is_text = is_text;
    }
    return true;
  }

  std::map<std::string, FlatJsonField> fields_;
  FlatJsonField* field_ = nullptr;
  int depth_ = 0;
};

}  // namespace

std::optional<std::map<std::string, FlatJsonField>> ParseFlatJson(std::string_view json) {
  Reader reader;
  if (!nlohmann::json::sax_parse(json, &reader)) return std::nullopt;
  return reader.Take();
}

}  // namespace sightline
