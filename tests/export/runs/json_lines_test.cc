#include "sightline/export/runs/json_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sightline/base/digest/sha256.h"
#include "sightline/base/file_system.h"
#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/recorder/tensor/png.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Every line of a file, parsed.
json Lines(EventReader& reader, const JsonLinesOptions& options = {}) {
  json lines = json::array();
  EXPECT_THAT(WriteJsonLines(reader, options,
                             [&](std::string_view line) {
                               EXPECT_TRUE(line.ends_with("}\n"));
                               EXPECT_EQ(line.find('\n'), line.size() - 1);
                               lines.push_back(json::parse(line));
                               return Status();
                             }),
              testing::IsOk());
  return lines;
}

std::string FromBase64(const std::string& text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  EXPECT_GE(size, 0);
  bytes.resize(bytes.size() - (text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0));
  return bytes;
}

// Real files against their twins: what the writing program's own protobuf classes read. The twins
// show a few things in a shorter form; the functions below bring ours to it.
class TwinTest : public ::testing::TestWithParam<std::string> {
 protected:
  static json Names(const json& items, const char* key = "name") {
    json names = json::array();
    for (const json& item : items) names.push_back(item.value(key, ""));
    return names;
  }

  static json MindSporeGraphSummary(const json& graph) {
    std::set<std::string> op_types;
    for (const json& node : graph.at("node")) op_types.insert(node.value("op_type", ""));
    return {{"name", graph.at("name")},
            {"nodes", graph.at("node").size()},
            {"parameters", Names(graph.value("parameters", json::array()))},
            {"outputs", Names(graph.value("outputs", json::array()))},
            {"const_vals", graph.value("const_vals", json::array()).size()},
            {"op_types", op_types},
            {"node_full_names", Names(graph.at("node"), "full_name")}};
  }

  static json TensorBoardGraphSummary(const json& graph) {
    json nodes = json::array();
    for (const json& node : graph.at("node")) {
      nodes.push_back({{"name", node.at("name")},
                       {"op", node.at("op")},
                       {"inputs", node.value("input", json::array())}});
    }
    return {{"nodes", nodes}};
  }

  // Encoded bytes become their number and their SHA-256.
  static void DigestBytes(json& value, const char* kind, const char* bytes_field) {
    if (!value.contains(kind)) return;
    json& message = value[kind];
    const std::string encoded = FromBase64(message.at(bytes_field));
    message.erase(bytes_field);
    message["encoded_bytes"] = encoded.size();
    message["encoded_sha256"] = Sha256Hex(encoded);
  }

  static void Reduce(EventFileKind kind, json& event) {
    if (event.contains("graph_def")) {
      event["graph_def"] = kind == EventFileKind::kTensorBoard
                               ? TensorBoardGraphSummary(event["graph_def"])
                               : MindSporeGraphSummary(event["graph_def"]);
    }
    if (kind != EventFileKind::kTensorBoard || !event.contains("summary")) return;
    for (json& value : event["summary"]["value"]) {
      DigestBytes(value, "image", "encoded_image_string");
      DigestBytes(value, "audio", "encoded_audio_string");
    }
  }
};

TEST_P(TwinTest, OurReadingOfARealFileEqualsItsTwin) {
  const std::string path = testing::CorpusPath(GetParam());
  auto reader = EventReader::Open(FileSystem::Local(), path);
  ASSERT_THAT(reader, testing::IsOk());
  const bool tensorboard = ParseEventFileName(BaseName(path))->kind == EventFileKind::kTensorBoard;
  json ours = Lines(**reader, {.bytes = tensorboard, .tag_filter = {}});
  EXPECT_THAT((*reader)->skipped(), IsEmpty());
  const json twin = json::parse(testing::ReadFileOrDie(path + ".json"));
  ASSERT_EQ(ours.size(), twin.size());
  for (std::size_t i = 0; i < twin.size(); ++i) {
    Reduce((*reader)->kind(), ours[i]);
    EXPECT_EQ(ours[i], twin[i]) << "event " << i << ": "
                                << json::diff(twin[i], ours[i]).dump().substr(0, 2000);
  }
}

std::vector<std::string> FilesWithTwins() {
  std::vector<std::string> files;
  const std::string root = testing::CorpusPath("");
  for (const char* folder : {"mindspore", "tensorboard"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root + folder)) {
      const std::string path = entry.path().string();
      if (std::filesystem::exists(path + ".json")) files.push_back(path.substr(root.size()));
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(Corpus, TwinTest, ::testing::ValuesIn(FilesWithTwins()),
                         [](const auto& param_info) {
                           std::string name = param_info.param;
                           for (char& c : name)
                             c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           return name;
                         });

TEST(CorpusTest, HasFilesOfBothDialects) { EXPECT_GE(FilesWithTwins().size(), 13u); }

// Cases that the corpus lacks.

class JsonLinesTest : public ::testing::Test {
 protected:
  void Add(const google::protobuf::MessageLite& event) {
    bytes_ += testing::FrameRecord(event.SerializePartialAsString());
  }
  EventReader Open(EventFileKind kind) const {
    return EventReader(std::make_unique<testing::BytesFile>(bytes_), kind);
  }
  json Read(EventFileKind kind, const JsonLinesOptions& options = {}) const {
    EventReader reader = Open(kind);
    return Lines(reader, options);
  }
  static mindspore::Event Scalar(const std::string& tag, float value) {
    mindspore::Event event;
    auto* added = event.mutable_summary()->add_value();
    added->set_tag(tag);
    added->set_scalar_value(value);
    return event;
  }

  std::string bytes_;
};

constexpr auto kMindSpore = EventFileKind::kMindSporeSummary;
constexpr auto kTensorBoard = EventFileKind::kTensorBoard;

TEST_F(JsonLinesTest, FloatsHaveTheShortestDigitsOfTheirOwnType) {
  Add(Scalar("a", 0.1F));
  Add(Scalar("b", 16777216.0F));
  Add(Scalar("c", 1e30F));
  std::string text;
  EventReader reader = Open(kMindSpore);
  EXPECT_THAT(WriteJsonLines(reader, {},
                             [&](std::string_view line) {
                               text += line;
                               return Status();
                             }),
              testing::IsOk());
  EXPECT_THAT(text, ::testing::HasSubstr("\"scalar_value\":0.1}"));
  EXPECT_THAT(text, ::testing::HasSubstr("\"scalar_value\":16777216.0}"));
  EXPECT_THAT(text, ::testing::HasSubstr("\"scalar_value\":1e+30}"));
}

TEST_F(JsonLinesTest, NumbersThatJsonLacksAreText) {
  Add(Scalar("a", NAN));
  Add(Scalar("a", INFINITY));
  Add(Scalar("a", -INFINITY));
  const json lines = Read(kMindSpore);
  EXPECT_EQ(lines[0]["summary"]["value"][0]["scalar_value"], "NaN");
  EXPECT_EQ(lines[1]["summary"]["value"][0]["scalar_value"], "Infinity");
  EXPECT_EQ(lines[2]["summary"]["value"][0]["scalar_value"], "-Infinity");
}

TEST_F(JsonLinesTest, TextIsEscaped) {
  Add(Scalar("quote \" backslash \\ newline \n bell \a \xe6\xa0\x87", 1));
  Add(Scalar("not \xff UTF-8", 1));
  const json lines = Read(kMindSpore);
  EXPECT_EQ(lines[0]["summary"]["value"][0]["tag"],
            "quote \" backslash \\ newline \n bell \a \xe6\xa0\x87");
  EXPECT_EQ(lines[1]["summary"]["value"][0]["tag"], "not \xef\xbf\xbd UTF-8");
}

TEST_F(JsonLinesTest, NothingIsPrinted) {
  Add(Scalar("not \xff UTF-8", 1));
  ::testing::internal::CaptureStderr();
  (void)Read(kMindSpore);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(JsonLinesTest, AnImageShowsItsPixelsOrItsBytes) {
  const std::vector<std::uint8_t> pixels(2 * 3 * 3, 7);
  const auto png = EncodePng(3, 2, 3, pixels);
  ASSERT_THAT(png, testing::IsOk());
  tensorboard::Event event;
  event.mutable_summary()->add_value()->mutable_image()->set_encoded_image_string(*png);
  event.mutable_summary()->add_value()->mutable_image()->set_encoded_image_string("GIF89a");
  Add(event);
  const json decoded = Read(kTensorBoard)[0]["summary"]["value"];
  EXPECT_EQ(decoded[0]["image"]["pixels_shape"], json({2, 3, 3}));
  EXPECT_EQ(decoded[0]["image"]["pixels_sha256"],
            Sha256Hex(std::string(pixels.begin(), pixels.end())));
  EXPECT_FALSE(decoded[0]["image"].contains("encoded_image_string"));
  EXPECT_EQ(decoded[1]["image"]["encoded_bytes"], 6);
  EXPECT_EQ(decoded[1]["image"]["encoded_sha256"], Sha256Hex("GIF89a"));
  const json encoded = Read(kTensorBoard, {.bytes = true, .tag_filter = {}})[0]["summary"]["value"];
  EXPECT_EQ(encoded[1]["image"]["encoded_image_string"], "R0lGODlh");
}

TEST_F(JsonLinesTest, AGraphThatIsNoneStaysBytes) {
  tensorboard::Event event;
  event.set_graph_def("\x0a\x7f");
  Add(event);
  EXPECT_EQ(Read(kTensorBoard)[0]["graph_def"], "Cn8=");
}

TEST_F(JsonLinesTest, TheTagFilterKeepsMatchingValuesAndTheirEvents) {
  mindspore::Event event = Scalar("loss", 1);
  *event.mutable_summary()->add_value() = Scalar("lr", 2).summary().value(0);
  Add(event);
  Add(Scalar("lr", 3));
  mindspore::Event version;
  version.set_version("MindSpore.Event:1");
  Add(version);
  JsonLinesOptions options;
  options.tag_filter = [](std::string_view tag) { return tag == "loss"; };
  const json lines = Read(kMindSpore, options);
  ASSERT_EQ(lines.size(), 1u);
  ASSERT_EQ(lines[0]["summary"]["value"].size(), 1u);
  EXPECT_EQ(lines[0]["summary"]["value"][0]["tag"], "loss");
}

TEST_F(JsonLinesTest, TheLimitCountsLines) {
  for (int i = 0; i < 5; ++i) Add(Scalar("a", 1));
  JsonLinesOptions options;
  options.limit = 2;
  EXPECT_EQ(Read(kMindSpore, options).size(), 2u);
  options.limit = 0;
  EXPECT_THAT(Read(kMindSpore, options), IsEmpty());
}

TEST_F(JsonLinesTest, TheSessionIsShown) {
  mindspore::Event event;
  event.set_version("MindSpore.Event:1");
  event.mutable_session()->set_session_id("0123");
  event.mutable_session()->set_rank(0);
  Add(event);
  EXPECT_EQ(Read(kMindSpore)[0]["session"], json({{"session_id", "0123"}, {"rank", 0}}));
}

TEST_F(JsonLinesTest, AnEventWithAMalformedMessageIsRejected) {
  Add(Scalar("a", 1));
  // A value whose tensor is not a message: the reader does not parse the tensor.
  const std::uint64_t begin = bytes_.size();
  bytes_ += testing::FrameRecord(std::string("\x2a\x06\x0a\x04\x42\x02\x1a\x7f", 8));
  const std::uint64_t end = bytes_.size();
  Add(Scalar("b", 1));
  EventReader reader = Open(kMindSpore);
  EXPECT_EQ(Lines(reader).size(), 2u);
  EXPECT_THAT(reader.skipped(),
              ElementsAre(SkippedRegion{begin, end - begin, SkipReason::kMalformedEvent}));
}

TEST_F(JsonLinesTest, AFailingWriteEndsTheWork) {
  Add(Scalar("a", 1));
  EventReader reader = Open(kMindSpore);
  EXPECT_THAT(WriteJsonLines(reader, {},
                             [](std::string_view) { return Status(StatusCode::kIoError, "pipe"); }),
              testing::IsStatus(StatusCode::kIoError, "pipe"));
}

TEST_F(JsonLinesTest, EnumsOutsideTheSchemaAreNumbers) {
  tensorboard::Event event;
  event.mutable_summary()->add_value()->mutable_tensor()->set_dtype(
      static_cast<tensorboard::DataType>(99));
  Add(event);
  EXPECT_EQ(Read(kTensorBoard)[0]["summary"]["value"][0]["tensor"]["dtype"], 99);
}

// FIPS 180-2, appendix B.1.
TEST(Sha256Test, EqualsTheVectorOfTheStandard) {
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace sightline
