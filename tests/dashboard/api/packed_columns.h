// The header and the numbers of a binary response ("S L S 1", docs/http_api.md).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "sightline/dashboard/http/http_message.h"

namespace sightline::testing {

struct PackedColumns {
  nlohmann::json header;
  std::vector<double> numbers;
};

inline PackedColumns Unpacked(const dashboard::Response& response) {
  constexpr std::size_t kBegin = 8;
  const std::string& body = response.body;
  EXPECT_EQ(body.substr(0, 4), "SLS1");
  std::uint32_t length = 0;
  std::memcpy(&length, body.data() + 4, sizeof(length));
  EXPECT_EQ(length % sizeof(double), 0U);
  PackedColumns columns;
  columns.header = nlohmann::json::parse(body.substr(kBegin, length));
  for (std::size_t at = kBegin + length; at < body.size(); at += sizeof(double))
    std::memcpy(&columns.numbers.emplace_back(), body.data() + at, sizeof(double));
  return columns;
}

}  // namespace sightline::testing
