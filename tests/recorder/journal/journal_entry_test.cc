#include "sightline/recorder/journal/journal_entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sightline/base/crc32c.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::IsStatus;

constexpr std::int64_t kShape[] = {2, 3};
constexpr float kFloats[6] = {0, 1, 2, 3, 4, 5};

// An entry's body as a recorder writes it.
std::string Entry(std::initializer_list<std::pair<std::string_view, Value>> values,
                  bool external = false) {
  std::string body(sizeof(EntryEventHeader), '\0');
  PutEntryEventHeader(body.data(), {7, 1.5, static_cast<std::uint32_t>(values.size()),
                                    external ? kExternal : kInline});
  std::uint32_t crc = crc32c::Value(body);
  for (const auto& [tag, value] : values) {
    const std::size_t at = body.size();
    body.resize(at + EntryValueBytes(tag, value, external));
    EXPECT_EQ(PutEntryValue(body.data() + at, tag, value, external, crc),
              body.data() + body.size());
  }
  EXPECT_EQ(crc, crc32c::Value(body));
  return body;
}

TEST(JournalEntryTest, GivesBackWhatWasPut) {
  const std::string body = Entry({{"loss", Value::Scalar(0.1)},
                                  {"weights", Value::Tensor(View(kFloats, kShape))},
                                  {"", Value::Message(ValueKind::kGraph, "graph bytes")}});
  EntryEvent event;
  ASSERT_THAT(ParseEntry(body, false, event), IsOk());
  EXPECT_EQ(event.step, 7);
  EXPECT_EQ(event.wall_time, 1.5);
  ASSERT_EQ(event.values.size(), 3);
  EXPECT_EQ(event.values[0].tag, "loss");
  EXPECT_EQ(event.values[0].scalar, 0.1);
  EXPECT_EQ(event.values[1].kind, ValueKind::kTensor);
  EXPECT_EQ(event.values[1].tensor.shape[1], 3);
  EXPECT_EQ(std::memcmp(event.values[1].tensor.data, kFloats, sizeof(kFloats)), 0);
  EXPECT_EQ(event.values[2].message, "graph bytes");
}

TEST(JournalEntryTest, PointsAtExternalElementsAndMessages) {
  const std::string message(100, 'm');
  const std::string body = Entry({{"t", Value::Tensor(View(kFloats, kShape))},
                                  {"g", Value::Message(ValueKind::kGraph, message)}},
                                 true);
  EXPECT_TRUE(HasExternalValues(body));
  EntryEvent event;
  ASSERT_THAT(ParseEntry(body, false, event), IsOk());
  EXPECT_EQ(event.values[0].tensor.data, kFloats);
  EXPECT_EQ(event.values[1].message.data(), message.data());
}

TEST(JournalEntryTest, LeavesOutExternalValuesThatAreLost) {
  const std::string body = Entry({{"t", Value::Tensor(View(kFloats, kShape))}}, true);
  EntryEvent event;
  ASSERT_THAT(ParseEntry(body, true, event), IsOk());
  EXPECT_TRUE(event.values.empty());
  EXPECT_EQ(event.lost_values, 1);
}

TEST(JournalEntryTest, HasAShortcutForOneScalarWithTheSameBytes) {
  for (const std::string_view tag :
       {"", "a", "loss/au", "loss/aut", "loss/auto", "a rather long tag/of a layer"}) {
    std::string shortcut(ScalarEntryBytes(tag.size()), 'x');
    PutScalarEntry(shortcut.data(), 7, 1.5, tag, 0.1);
    EXPECT_EQ(shortcut, Entry({{tag, Value::Scalar(0.1)}})) << tag;
  }
}

TEST(JournalEntryTest, RefusesEveryCutWithoutReadingBeyondIt) {
  const std::string body =
      Entry({{"loss", Value::Scalar(0.1)}, {"weights", Value::Tensor(View(kFloats, kShape))}});
  EntryEvent event;
  for (std::size_t size = 0; size < body.size(); ++size) {
    const std::string cut =
        body.substr(0, size);  // Its own allocation, so that a sanitizer sees a read beyond.
    EXPECT_THAT(ParseEntry(cut, false, event), IsStatus(StatusCode::kDataLoss, "journal entry"))
        << size;
  }
}

TEST(JournalEntryTest, SurvivesAnyDamage) {
  const std::string body =
      Entry({{"loss", Value::Scalar(0.1)}, {"weights", Value::Tensor(View(kFloats, kShape))}});
  std::mt19937 random(1);
  EntryEvent event;
  for (int i = 0; i < 100'000; ++i) {
    std::string damaged = body;
    for (int flips = 0; flips < 3; ++flips)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    if (!ParseEntry(damaged, true, event).ok()) continue;
    for (const PreparedValue& value : event.values) {
      EXPECT_LE(value.tag.size(), damaged.size());
      EXPECT_LE(HasTensor(value.kind) ? value.tensor.ByteSize() : value.message.size(),
                damaged.size());
    }
  }
}

TEST(JournalEntryTest, ScalarEntriesAreReadTheShortWayToo) {
  const std::string body = Entry({{"loss/auto", Value::Scalar(0.1)}});
  std::string put(ScalarEntryBytes(9), '\xff');
  PutScalarEntry(put.data(), 7, 1.5, "loss/auto", 0.1);
  EXPECT_EQ(put, body);
  ScalarEvent scalar;
  ASSERT_TRUE(ParseScalarEntry(body, scalar));
  EXPECT_EQ(scalar.step, 7);
  EXPECT_EQ(scalar.wall_time, 1.5);
  EXPECT_EQ(scalar.tag, "loss/auto");
  EXPECT_EQ(scalar.value, 0.1);
}

TEST(JournalEntryTest, OtherEntriesAreNoScalars) {
  ScalarEvent scalar;
  const auto is_scalar = [&](std::string_view body) { return ParseScalarEntry(body, scalar); };
  const std::string one = Entry({{"loss", Value::Scalar(0.1)}});
  EXPECT_FALSE(is_scalar(Entry({})));
  EXPECT_FALSE(is_scalar(Entry({{"a", Value::Scalar(1)}, {"b", Value::Scalar(2)}})));
  EXPECT_FALSE(is_scalar(Entry({{"t", Value::Tensor(View(kFloats, kShape))}})));
  EXPECT_FALSE(is_scalar(one + std::string(8, '\0')));
  for (std::size_t size = 0; size < one.size(); ++size) {
    EXPECT_FALSE(is_scalar(std::string_view(one).substr(0, size))) << size;
  }
}

std::optional<std::uint32_t> TensorCrcOf(const std::string& body) {
  EntryEvent event;
  EXPECT_THAT(ParseEntry(body, false, event), IsOk());
  return TensorCrc(body, crc32c::Value(body), event);
}

TEST(JournalEntryTest, ALargeTensorsChecksumComesFromItsEntrys) {
  const std::vector<float> values(10'000, 0.5F);
  const std::int64_t shape[] = {10'000};
  const Value tensor = Value::Tensor(View(values.data(), shape));
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), 40'000);
  EXPECT_EQ(TensorCrcOf(Entry({{"t", tensor}})), crc32c::Value(bytes));
  EXPECT_EQ(TensorCrcOf(Entry({{"t", tensor}, {"loss", Value::Scalar(1)}})), std::nullopt);
  EXPECT_EQ(TensorCrcOf(Entry({{"h", Value::Histogram(View(values.data(), shape))}})),
            std::nullopt);
  EXPECT_EQ(TensorCrcOf(Entry({{"t", tensor}}, true)), std::nullopt);
  const std::int64_t padded[] = {9'999};
  EXPECT_EQ(TensorCrcOf(Entry({{"t", Value::Tensor(View(values.data(), padded))}})), std::nullopt);
}

TEST(CheckValueTest, NamesTagAndFault) {
  const auto bad = [](const char* text) { return IsStatus(StatusCode::kInvalidArgument, text); };
  const std::int64_t negative[] = {-1};
  const std::int64_t flat[] = {6};
  const std::int64_t two_channels[] = {1, 2, 1, 3};
  EXPECT_THAT(CheckValue("t", Value::Tensor(View(kFloats, negative))),
              bad("t: tensor: negative dimension -1"));
  EXPECT_THAT(CheckValue("t", Value::Tensor({static_cast<DType>(99), flat, kFloats})),
              bad("unknown dtype 99"));
  EXPECT_THAT(CheckValue("t", Value::Tensor({DType::kComplex64, {}, kFloats})),
              bad("real and imaginary"));
  EXPECT_THAT(CheckValue("i", Value::Image(View(kFloats, flat))), bad("not (6)"));
  EXPECT_THAT(CheckValue("i", Value::Image(View(kFloats, two_channels))), bad("not (1, 2, 1, 3)"));
  const std::int64_t huge[] = {std::int64_t{1} << 29};
  EXPECT_THAT(CheckValue("t", Value::Tensor(View(kFloats, huge))),
              bad("does not fit into an event of 2 GiB"));
  Value kindless;
  kindless.kind = static_cast<ValueKind>(77);
  EXPECT_THAT(CheckValue("k", kindless), bad("no such kind"));
}

}  // namespace
}  // namespace sightline
