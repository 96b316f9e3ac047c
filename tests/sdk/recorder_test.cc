// Recording through the C interface, read back by the library's own readers.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sightline/recorder/message/graph.h"
#include "sightline/recorder/message/lineage.h"
#include "sightline/runs/model/run.h"
#include "sightline/sdk/sightline.hpp"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::sdk::Sized;
using ::sightline::testing::InForkedChild;
using ::sightline::testing::ReadRun;
using ::sightline::testing::RecordedRun;
using ::sightline::testing::TempDir;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StrEq;
using ::testing::UnorderedElementsAre;

template <typename T>
sightline_value ValueOf(const char* tag, sightline_kind kind, sightline_dtype dtype,
                        const std::vector<T>& data, const std::vector<std::int64_t>& shape) {
  auto value = Sized<sightline_value>();
  value.tag = tag;
  value.kind = kind;
  value.dtype = dtype;
  value.data = data.data();
  value.bytes = data.size() * sizeof(T);
  value.shape = shape.data();
  value.dimensions = shape.size();
  return value;
}

sightline_value MessageOf(sightline_kind kind, const std::string& message,
                          const char* tag = nullptr) {
  auto value = Sized<sightline_value>();
  value.tag = tag;
  value.kind = kind;
  value.data = message.data();
  value.bytes = message.size();
  return value;
}

class SdkRecorder : public ::testing::Test {
 protected:
  ~SdkRecorder() override { sightline_recorder_free(recorder_); }

  void Open(std::uint32_t formats = SIGHTLINE_FORMAT_MINDSPORE) {
    auto options = Sized<sightline_recorder_options>();
    options.formats = formats;
    ASSERT_EQ(sightline_recorder_open(dir_.path().c_str(), &options, &recorder_), SIGHTLINE_OK)
        << sightline_error(nullptr);
  }
  void Close() {
    ASSERT_EQ(sightline_recorder_close(recorder_), SIGHTLINE_OK) << sightline_error(recorder_);
  }
  sightline_code Record(const sightline_value& value, std::int64_t step = 1) {
    return sightline_recorder_record(recorder_, step, &value, 1);
  }
  std::string Words() const { return sightline_error(recorder_); }

  TempDir dir_;
  sightline_recorder* recorder_ = nullptr;
  const std::vector<float> weights_ = {0.5F, -1.0F, 2.0F, 0.25F};
  const std::vector<std::int64_t> square_ = {2, 2};
};

TEST_F(SdkRecorder, RecordsScalarsAsTheyAre) {
  Open();
  const std::vector<float> values = {0.1F, -0.0F, std::numeric_limits<float>::denorm_min(),
                                     std::numeric_limits<float>::max()};
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(sightline_recorder_add_scalar(recorder_, "loss", static_cast<std::int64_t>(i),
                                            static_cast<double>(values[i])),
              SIGHTLINE_OK);
  }
  Close();
  const auto run = Run::Open(dir_.path());
  ASSERT_TRUE(run);
  const Series* const loss = (*run)->Find(ContentKind::kScalar, "loss");
  ASSERT_NE(loss, nullptr);
  ASSERT_EQ(loss->size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(loss->values()[i]),
              std::bit_cast<std::uint64_t>(static_cast<double>(values[i])));
  }
}

TEST_F(SdkRecorder, RecordsEveryKindOfArray) {
  Open(SIGHTLINE_FORMAT_MINDSPORE | SIGHTLINE_FORMAT_TENSORBOARD);
  const std::vector<std::uint8_t> pixels = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255};
  const std::vector<std::int64_t> picture = {1, 3, 2, 2};
  const std::vector<double> samples = {0, 0.5, -1};
  const std::vector<std::int64_t> three = {3};
  const std::string note = "begun";
  const std::vector<std::int64_t> none;
  const std::vector<std::int32_t> seven = {7};
  sightline_value values[] = {
      ValueOf("epoch", SIGHTLINE_SCALAR, SIGHTLINE_INT32, seven, none),
      ValueOf("weights", SIGHTLINE_HISTOGRAM, SIGHTLINE_FLOAT32, weights_, square_),
      ValueOf("weights", SIGHTLINE_TENSOR, SIGHTLINE_FLOAT32, weights_, square_),
      ValueOf("digits", SIGHTLINE_IMAGE, SIGHTLINE_UINT8, pixels, picture),
      MessageOf(SIGHTLINE_TEXT, note, "note"),
      ValueOf("tone", SIGHTLINE_AUDIO, SIGHTLINE_FLOAT64, samples, three),
  };
  values[5].sample_rate = 8000;
  ASSERT_EQ(sightline_recorder_record(recorder_, 3, values, 6), SIGHTLINE_OK) << Words();
  Close();
  const RecordedRun recorded = ReadRun(dir_.path());
  EXPECT_TRUE(recorded.sound());
  EXPECT_THAT(RecordedRun::Values(recorded.mindspore),
              ElementsAre("3 epoch=7", "3 weights:histogram=4", "3 weights:tensor=0.5",
                          "3 digits:image=2x2"));
  EXPECT_THAT(RecordedRun::Values(recorded.tensorboard),
              UnorderedElementsAre("3 epoch=7", "3 weights:histogram=4",
                                   "3 weights:tensor=", "3 digits:image=2x2",
                                   "3 note/text_summary:text=", "3 tone:audio=3"));
  const auto run = Run::Open(dir_.path());
  ASSERT_TRUE(run);
  const Series* const texts = (*run)->Find(ContentKind::kText, "note/text_summary");
  ASSERT_NE(texts, nullptr);
  const auto text = (*run)->Read(texts->point(0));
  ASSERT_TRUE(text);
  EXPECT_THAT(*text->Texts(), ElementsAre("begun"));
}

TEST_F(SdkRecorder, KeepsTheElementsOfATensor) {
  Open();
  ASSERT_EQ(Record(ValueOf("w", SIGHTLINE_TENSOR, SIGHTLINE_FLOAT32, weights_, square_)),
            SIGHTLINE_OK);
  Close();
  const auto run = Run::Open(dir_.path());
  ASSERT_TRUE(run);
  const Series* const series = (*run)->Find(ContentKind::kTensor, "w");
  ASSERT_NE(series, nullptr);
  const auto stored = (*run)->Read(series->point(0));
  ASSERT_TRUE(stored);
  const auto tensor = stored->Tensor();
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->shape, square_);
  ASSERT_EQ(tensor->data.size(), 16U);
  EXPECT_EQ(std::memcmp(tensor->data.data(), weights_.data(), 16), 0);
}

TEST_F(SdkRecorder, RecordsMessagesUnchanged) {
  Open();
  TrainLineage lineage;
  lineage.network = "LeNet5";
  Graph graph;
  graph.name = "digits";
  graph.nodes = {{.name = "conv", .op_type = "Conv2D"}};
  const auto graph_proto = SerializeGraph(graph);
  ASSERT_TRUE(graph_proto);
  const std::string train = SerializeTrainLineage(lineage);
  ASSERT_EQ(Record(MessageOf(SIGHTLINE_GRAPH, *graph_proto), 0), SIGHTLINE_OK) << Words();
  ASSERT_EQ(Record(MessageOf(SIGHTLINE_TRAIN_LINEAGE, train), 0), SIGHTLINE_OK) << Words();
  Close();
  const RecordedRun recorded = ReadRun(dir_.path());
  EXPECT_THAT(RecordedRun::Values(recorded.mindspore), ElementsAre("0 :graph=digits"));
  EXPECT_THAT(RecordedRun::Values(recorded.lineage), ElementsAre(HasSubstr("LeNet5")));
}

TEST_F(SdkRecorder, GivesOneTagForOneText) {
  Open();
  const sightline_tag* tag = nullptr;
  const sightline_tag* same = nullptr;
  const sightline_tag* other = nullptr;
  ASSERT_EQ(sightline_recorder_tag(recorder_, "loss", &tag), SIGHTLINE_OK);
  ASSERT_EQ(sightline_recorder_tag(recorder_, "loss", &same), SIGHTLINE_OK);
  ASSERT_EQ(sightline_recorder_tag(recorder_, "rate", &other), SIGHTLINE_OK);
  EXPECT_EQ(tag, same);
  EXPECT_NE(tag, other);
  EXPECT_EQ(sightline_recorder_add_tagged(recorder_, tag, 1, 0.5), SIGHTLINE_OK);
  EXPECT_EQ(sightline_recorder_add_tagged(recorder_, other, 1, 0.25), SIGHTLINE_OK);
  Close();
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir_.path()).mindspore),
              ElementsAre("1 loss=0.5", "1 rate=0.25"));
}

TEST_F(SdkRecorder, MakesOneEventOfStagedValues) {
  Open();
  const std::vector<double> half = {0.5};
  const auto a = ValueOf("a", SIGHTLINE_SCALAR, SIGHTLINE_FLOAT64, half, {});
  const auto b = ValueOf("b", SIGHTLINE_SCALAR, SIGHTLINE_FLOAT64, half, {});
  EXPECT_EQ(sightline_recorder_stage(recorder_, &a), SIGHTLINE_OK);
  EXPECT_EQ(sightline_recorder_stage(recorder_, &b), SIGHTLINE_OK);
  EXPECT_EQ(sightline_recorder_record_staged(recorder_, 4), SIGHTLINE_OK);
  EXPECT_EQ(sightline_recorder_flush(recorder_, 1), SIGHTLINE_OK);
  Close();
  const RecordedRun recorded = ReadRun(dir_.path());
  EXPECT_THAT(RecordedRun::Values(recorded.mindspore), ElementsAre("4 a=0.5", "4 b=0.5"));
  ASSERT_EQ(recorded.mindspore.size(), 1U);
  EXPECT_THAT(recorded.mindspore[0].events, Contains(SizeIs(2)));
}

TEST_F(SdkRecorder, RecordsAtTheTimeThatIsGiven) {
  Open();
  const std::vector<double> half = {0.5};
  const auto value = ValueOf("a", SIGHTLINE_SCALAR, SIGHTLINE_FLOAT64, half, {});
  EXPECT_EQ(sightline_recorder_record_at(recorder_, 1, 1234.5, &value, 1), SIGHTLINE_OK);
  EXPECT_EQ(sightline_recorder_record_at(recorder_, 1, NAN, &value, 1), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(Words(), HasSubstr("wall_time is not finite"));
  EXPECT_EQ(sightline_recorder_close(recorder_), SIGHTLINE_INVALID_ARGUMENT);
  const auto run = Run::Open(dir_.path());
  ASSERT_TRUE(run);
  EXPECT_EQ((*run)->Find(ContentKind::kScalar, "a")->wall_times()[0], 1234.5);
}

TEST_F(SdkRecorder, NamesWhatIsWrongWithAValue) {
  Open();
  const std::vector<std::int64_t> bad_size = {3};
  const std::vector<std::int64_t> negative = {-1};
  const auto good = ValueOf("w", SIGHTLINE_TENSOR, SIGHTLINE_FLOAT32, weights_, square_);
  const std::vector<std::pair<sightline_value, std::string>> wrong = [&] {
    std::vector<std::pair<sightline_value, std::string>> made;
    const auto add = [&](auto&& change, const char* words) {
      made.emplace_back(good, words);
      change(made.back().first);
    };
    add([](auto& v) { v.dtype = 99; }, "w: dtype is 99");
    add([](auto& v) { v.dtype = 0; }, "w: dtype is 0");
    add([](auto& v) { v.kind = 77; }, "w: kind is 77");
    add([](auto& v) { v.kind = SIGHTLINE_UNKNOWN; }, "w: kind is 0");
    add([](auto& v) { v.bytes = 15; }, "w: bytes is 15, but 4 elements of float32 have 16");
    add([&](auto& v) { v.shape = bad_size.data(), v.dimensions = 1; }, "3 elements of float32");
    add([&](auto& v) { v.shape = negative.data(), v.dimensions = 1; }, "-1");
    add([](auto& v) { v.shape = nullptr; }, "w: shape is a null pointer");
    add([](auto& v) { v.data = nullptr; }, "w: ");
    add([](auto& v) { v.tag = nullptr; }, "tag is a null pointer");
    add([](auto& v) { v.kind = SIGHTLINE_SCALAR; }, "w: a scalar is one element");
    add([](auto& v) { v.kind = SIGHTLINE_IMAGE; }, "w: ");
    add([](auto& v) { v.kind = SIGHTLINE_GRAPH; }, "w: ");
    add([](auto& v) { v.kind = SIGHTLINE_TENSORBOARD_EVENT; }, "w: ");
    add([](auto& v) { v.kind = SIGHTLINE_TEXT; }, "w: only TensorBoard's files");
    add([](auto& v) { v.kind = SIGHTLINE_AUDIO; }, "w: ");
    return made;
  }();
  for (const auto& [value, words] : wrong) {
    EXPECT_EQ(Record(value), SIGHTLINE_INVALID_ARGUMENT) << words;
    EXPECT_THAT(Words(), HasSubstr(words));
    EXPECT_EQ(sightline_recorder_stage(recorder_, &value), SIGHTLINE_INVALID_ARGUMENT) << words;
    EXPECT_THAT(Words(), HasSubstr(words));
  }
}

TEST_F(SdkRecorder, RecordsTheOthersBesideAWrongValue) {
  Open();
  auto wrong = ValueOf("wrong", SIGHTLINE_TENSOR, SIGHTLINE_FLOAT32, weights_, square_);
  wrong.dtype = 99;
  const std::vector<double> half = {0.5};
  const sightline_value values[] = {
      wrong, ValueOf("right", SIGHTLINE_SCALAR, SIGHTLINE_FLOAT64, half, {})};
  EXPECT_EQ(sightline_recorder_record(recorder_, 1, values, 2), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(Words(), HasSubstr("wrong: dtype is 99"));
  EXPECT_EQ(sightline_recorder_close(recorder_), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(Words(), HasSubstr("values that were refused: 1; first: wrong: dtype is 99"));
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir_.path()).mindspore), ElementsAre("1 right=0.5"));
}

TEST_F(SdkRecorder, SaysClosedAfterClose) {
  Open();
  const sightline_tag* tag = nullptr;
  ASSERT_EQ(sightline_recorder_tag(recorder_, "loss", &tag), SIGHTLINE_OK);
  Close();
  EXPECT_EQ(sightline_recorder_close(recorder_), SIGHTLINE_OK);
  const auto value = ValueOf("w", SIGHTLINE_TENSOR, SIGHTLINE_FLOAT32, weights_, square_);
  EXPECT_EQ(sightline_recorder_add_scalar(recorder_, "loss", 1, 1), SIGHTLINE_CLOSED);
  EXPECT_THAT(Words(), HasSubstr("closed"));
  EXPECT_EQ(sightline_recorder_add_tagged(recorder_, tag, 1, 1), SIGHTLINE_CLOSED);
  EXPECT_EQ(Record(value), SIGHTLINE_CLOSED);
  EXPECT_EQ(sightline_recorder_stage(recorder_, &value), SIGHTLINE_CLOSED);
}

#if SIGHTLINE_CAN_FORK_BESIDE_THREADS
TEST_F(SdkRecorder, RecordsNothingInAForkedChild) {
  Open();
  const sightline_tag* tag = nullptr;
  ASSERT_EQ(sightline_recorder_tag(recorder_, "loss", &tag), SIGHTLINE_OK);
  EXPECT_EQ(InForkedChild([&] {
              const sightline_tag* other = nullptr;
              if (sightline_recorder_add_tagged(recorder_, tag, 1, 1) != SIGHTLINE_CLOSED) _exit(1);
              if (sightline_recorder_tag(recorder_, "b", &other) != SIGHTLINE_CLOSED) _exit(2);
              if (Words().find("forked") == std::string::npos) _exit(3);
              sightline_recorder_free(recorder_);
              if (sightline_recorder_open(dir_.File("child").c_str(), nullptr, &recorder_) !=
                  SIGHTLINE_OK) {
                _exit(4);
              }
              if (sightline_recorder_add_scalar(recorder_, "loss", 2, 2) != SIGHTLINE_OK) _exit(5);
              if (sightline_recorder_close(recorder_) != SIGHTLINE_OK) _exit(6);
            }),
            0);
  ASSERT_EQ(sightline_recorder_add_tagged(recorder_, tag, 3, 3), SIGHTLINE_OK);
  Close();
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir_.path()).mindspore), ElementsAre("3 loss=3"));
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir_.File("child")).mindspore), ElementsAre("2 loss=2"));
}
#endif

TEST_F(SdkRecorder, GivesTheErrorOfAnOpen) {
  sightline_recorder* recorder = recorder_;
  EXPECT_EQ(sightline_recorder_open("http://host/run", nullptr, &recorder),
            SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(recorder, nullptr);
  EXPECT_THAT(sightline_error(nullptr), HasSubstr("http://host/run"));
  EXPECT_EQ(sightline_recorder_open(nullptr, nullptr, &recorder), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_open("run", nullptr, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_STREQ(sightline_error(nullptr), "recorder is a null pointer");
}

TEST_F(SdkRecorder, NamesAWrongOption) {
  const auto failure = [&](auto&& change) -> std::string {
    auto options = Sized<sightline_recorder_options>();
    change(options);
    EXPECT_EQ(sightline_recorder_open(dir_.path().c_str(), &options, &recorder_),
              SIGHTLINE_INVALID_ARGUMENT);
    EXPECT_EQ(recorder_, nullptr);
    return sightline_error(nullptr);
  };
  EXPECT_THAT(failure([](auto& o) { o.formats = 8; }), HasSubstr("formats is 8"));
  EXPECT_THAT(failure([](auto& o) { o.sync = 3; }), HasSubstr("sync is 3"));
  EXPECT_THAT(failure([](auto& o) { o.buffer_bytes = 1; }), HasSubstr("buffer_bytes"));
  EXPECT_THAT(failure([](auto& o) { o.flush_interval_ms = -1; }), HasSubstr("flush_interval"));
}

TEST_F(SdkRecorder, CountsWhatItRecorded) {
  Open();
  sightline_recorder_add_scalar(recorder_, "loss", 1, 0.5);
  Close();
  sightline_recorder_stats stats{};
  EXPECT_EQ(sightline_recorder_get_stats(recorder_, &stats), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(Words(), HasSubstr("struct_size is 0"));
  stats.struct_size = sizeof(stats);
  ASSERT_EQ(sightline_recorder_get_stats(recorder_, &stats), SIGHTLINE_OK);
  EXPECT_EQ(stats.accepted_values, 1U);
  EXPECT_EQ(stats.written_events, 1U);
  EXPECT_EQ(stats.dropped_values, 0U);
  EXPECT_EQ(stats.refused_values, 0U);
  EXPECT_EQ(stats.kill_safe, 1);
  EXPECT_THAT(sightline_recorder_directory(recorder_), StrEq(dir_.path()));
  EXPECT_THAT(std::string(sightline_recorder_session_id(recorder_)), SizeIs(32));
}

TEST_F(SdkRecorder, PassesLinesAboutRefusedValues) {
  auto options = Sized<sightline_recorder_options>();
  std::string said;
  options.context = &said;
  options.on_refused = [](void* context, const char* line) {
    *static_cast<std::string*>(context) += line;
  };
  ASSERT_EQ(sightline_recorder_open(dir_.path().c_str(), &options, &recorder_), SIGHTLINE_OK);
  EXPECT_EQ(Record(MessageOf(SIGHTLINE_TEXT, "text", "note")), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(said, HasSubstr("not recorded"));
  EXPECT_EQ(sightline_recorder_close(recorder_), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(Words(), HasSubstr("values that were refused: 1"));
}

TEST_F(SdkRecorder, NullPointersAreErrors) {
  Open();
  EXPECT_EQ(sightline_recorder_add_scalar(nullptr, "loss", 1, 1), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_add_scalar(recorder_, nullptr, 1, 1), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_add_tagged(nullptr, nullptr, 1, 1), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_add_tagged(recorder_, nullptr, 1, 1), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_record(nullptr, 1, nullptr, 0), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_record(recorder_, 1, nullptr, 1), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_record(recorder_, 1, nullptr, 0), SIGHTLINE_OK);
  EXPECT_EQ(sightline_recorder_record_at(nullptr, 1, 1, nullptr, 0), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_stage(nullptr, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_stage(recorder_, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_record_staged(nullptr, 1), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_flush(nullptr, 0), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_close(nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_get_stats(nullptr, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_get_stats(recorder_, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  const sightline_tag* tag = nullptr;
  EXPECT_EQ(sightline_recorder_tag(nullptr, "loss", &tag), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_tag(recorder_, nullptr, &tag), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_tag(recorder_, "loss", nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_recorder_directory(nullptr), nullptr);
  EXPECT_EQ(sightline_recorder_session_id(nullptr), nullptr);
  sightline_recorder_free(nullptr);
}

}  // namespace
}  // namespace sightline
