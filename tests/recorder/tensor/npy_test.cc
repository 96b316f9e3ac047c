#include "sightline/recorder/tensor/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>

#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::testing::CorpusPath;
using ::sightline::testing::FaultyFileSystem;
using ::sightline::testing::IsOk;
using ::sightline::testing::IsStatus;
using ::sightline::testing::MemoryFileSystem;
using ::sightline::testing::ReadFileOrDie;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

template <typename T>
std::string BytesOf(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <typename T>
std::vector<T> Elements(const NpyArray& array) {
  std::vector<T> out(array.data.size() / sizeof(T));
  std::memcpy(out.data(), array.data.data(), array.data.size());
  return out;
}

// A file as any writer may make it: header text as given, not padded.
std::string File(const std::string& header, const std::string& elements, char major = 1) {
  std::string file = "\x93NUMPY";
  file += {major, '\0', static_cast<char>(header.size() & 0xffU),
           static_cast<char>(header.size() >> 8U)};
  if (major > 1) file += {'\0', '\0'};
  return file + header + elements;
}

std::string Dict(const std::string& descr, const std::string& shape,
                 const std::string& order = "False") {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

Status ErrorOf(const std::string& file) {
  const Result<NpyArray> array = ReadNpy(file);
  return array ? Status() : array.error();
}

// Each input of the corpus was written by numpy.save; reading and writing it again must not change
// a byte.
TEST(NpyTest, WritesWhatNumpySaves) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(CorpusPath("mindspore/values/inputs"))) {
    const std::string bytes = ReadFileOrDie(entry.path().string());
    const Result<NpyArray> array = ReadNpy(bytes);
    ASSERT_THAT(array, IsOk()) << entry.path();
    const Result<std::string> again = EncodeNpy(array->View());
    ASSERT_THAT(again, IsOk());
    EXPECT_EQ(*again, bytes) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 51);
}

TEST(NpyTest, HeaderIsPaddedToSixtyFourBytes) {
  std::vector<std::int64_t> shape;
  for (std::int64_t rank = 0; rank <= 32; ++rank) {
    const TensorView view{DType::kFloat64, shape, nullptr};
    EXPECT_EQ(NpyHeader(view).size() % 64, 0U) << rank;
    EXPECT_EQ(NpyHeader(view).back(), '\n');
    shape.push_back(rank * 1000);
  }
}

TEST(NpyTest, EveryDTypeComesBack) {
  const std::vector<std::int64_t> shape = {2, 1, 3};
  std::string bytes(std::size_t{16} * 6, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 37 % 256);
  for (int i = 1; i <= static_cast<int>(DType::kComplex128); ++i) {
    const auto dtype = static_cast<DType>(i);
    if (dtype == DType::kBfloat16) continue;
    const TensorView view{dtype, shape, bytes.data()};
    const Result<NpyArray> array = ReadNpy(EncodeNpy(view).value());
    ASSERT_THAT(array, IsOk());
    EXPECT_EQ(array->dtype, dtype);
    EXPECT_EQ(array->shape, shape);
    EXPECT_EQ(std::memcmp(array->data.data(), bytes.data(), view.ByteSize()), 0);
  }
}

TEST(NpyTest, Bfloat16IsWrittenAsFloat32) {
  std::vector<std::uint16_t> values(20000, 0x3fc0);
  values.back() = 0xc000;
  const std::vector<std::int64_t> shape = {20000};
  const Result<NpyArray> array =
      ReadNpy(EncodeNpy({DType::kBfloat16, shape, values.data()}).value());
  ASSERT_THAT(array, IsOk());
  EXPECT_EQ(array->dtype, DType::kFloat32);
  std::vector<float> expected(20000, 1.5F);
  expected.back() = -2;
  EXPECT_EQ(Elements<float>(*array), expected);
}

TEST(NpyTest, ReadsVersionsTwoAndThree) {
  const std::string elements = BytesOf<float>({1, 2});
  for (const char major : {'\1', '\2', '\3'}) {
    const Result<NpyArray> array = ReadNpy(File(Dict("'<f4'", "(2,)"), elements, major));
    ASSERT_THAT(array, IsOk()) << static_cast<int>(major);
    EXPECT_THAT(Elements<float>(*array), ElementsAre(1, 2));
  }
}

TEST(NpyTest, ReadsBigEndian) {
  const Result<NpyArray> array =
      ReadNpy(File(Dict("'>i4'", "(2,)"), std::string("\0\0\0\1\xff\xff\xff\xfe", 8)));
  ASSERT_THAT(array, IsOk());
  EXPECT_THAT(Elements<std::int32_t>(*array), ElementsAre(1, -2));
}

TEST(NpyTest, SwapsTheTwoPartsOfABigEndianComplexByThemselves) {
  const Result<NpyArray> array =
      ReadNpy(File(Dict("'>c8'", "()"), std::string("\x3f\x80\0\0\x40\0\0\0", 8)));
  ASSERT_THAT(array, IsOk());
  EXPECT_THAT(Elements<float>(*array), ElementsAre(1, 2));
}

TEST(NpyTest, TurnsFortranOrderIntoCOrder) {
  // [[[0 1] [2 3] [4 5]]] as numpy.asfortranarray lays it out.
  const std::string elements = BytesOf<std::int16_t>({0, 2, 4, 1, 3, 5});
  const Result<NpyArray> array = ReadNpy(File(Dict("'<i2'", "(1, 3, 2)", "True"), elements));
  ASSERT_THAT(array, IsOk());
  EXPECT_THAT(array->shape, ElementsAre(1, 3, 2));
  EXPECT_THAT(Elements<std::int16_t>(*array), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(NpyTest, ReadsHeadersOfOtherWriters) {
  const std::string elements = BytesOf<float>({1, 2, 3, 4, 5, 6});
  const std::string headers[] = {
      "{'shape':(2,3),'fortran_order':False,'descr':'<f4'}",
      "{\"descr\": \"<f4\",\t\"fortran_order\" : False , \"shape\": ( 2 , 3 , ) , }   \n",
      "{'descr': 'f4', 'fortran_order': False, 'shape': (2L, 3L), }\n",
      "{'descr': '=f4', 'fortran_order': False, 'shape': (2, 3)}\n\n",
  };
  for (const std::string& header : headers) {
    const Result<NpyArray> array = ReadNpy(File(header, elements));
    ASSERT_THAT(array, IsOk()) << header;
    EXPECT_THAT(array->shape, ElementsAre(2, 3));
  }
}

TEST(NpyTest, EmptyAndScalarArraysHaveTheirShapes) {
  const Result<NpyArray> empty = ReadNpy(File(Dict("'<f8'", "(0, 5)"), ""));
  ASSERT_THAT(empty, IsOk());
  EXPECT_THAT(empty->shape, ElementsAre(0, 5));
  EXPECT_THAT(empty->View().Check(), IsOk());
  const Result<NpyArray> scalar = ReadNpy(File(Dict("'<f8'", "()"), BytesOf<double>({3})));
  ASSERT_THAT(scalar, IsOk());
  EXPECT_THAT(scalar->shape, IsEmpty());
}

TEST(NpyTest, IgnoresWhatFollowsTheArray) {
  const Result<NpyArray> array = ReadNpy(File(Dict("'|u1'", "(2,)"), "ab and more"));
  ASSERT_THAT(array, IsOk());
  EXPECT_EQ(array->data.size(), 2U);
}

TEST(NpyTest, RefusesDTypesItDoesNotKnowByName) {
  EXPECT_THAT(ErrorOf(File(Dict("'<U10'", "(2,)"), "")),
              IsStatus(StatusCode::kUnimplemented, "'<U10'"));
  EXPECT_THAT(ErrorOf(File(Dict("'|O'", "(2,)"), "")),
              IsStatus(StatusCode::kUnimplemented, "'|O'"));
  EXPECT_THAT(ErrorOf(File(Dict("'<f16'", "(2,)"), "")),
              IsStatus(StatusCode::kUnimplemented, "'<f16'"));
  EXPECT_THAT(ErrorOf(File(Dict("[('x', '<f4'), ('y', '<f4')]", "(2,)"), "")),
              IsStatus(StatusCode::kUnimplemented, "structured"));
}

TEST(NpyTest, ReportsADamagedHeader) {
  const std::string elements(64, '\0');
  const std::string headers[] = {
      "",
      "{",
      "{}",
      "{'descr': '<f4'}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } x",
      "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2, 3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': 6, }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'pickle': (2,), }",
      "{'descr': '<f4",
      "{'descr': '<f4' 'fortran_order': False, 'shape': (2,), }",
  };
  for (const std::string& header : headers) {
    EXPECT_THAT(ErrorOf(File(header, elements)), IsStatus(StatusCode::kDataLoss, "npy")) << header;
  }
}

TEST(NpyTest, ReportsOtherFilesAndVersions) {
  EXPECT_THAT(ErrorOf(""), IsStatus(StatusCode::kDataLoss, "NUMPY"));
  EXPECT_THAT(ErrorOf("PK\3\4 this is a zip file"), IsStatus(StatusCode::kDataLoss, "NUMPY"));
  EXPECT_THAT(ErrorOf(File(Dict("'<f4'", "(2,)"), "", 4)),
              IsStatus(StatusCode::kUnimplemented, "version 4"));
}

TEST(NpyTest, EveryTruncationIsReported) {
  const std::string file = File(Dict("'<f4'", "(3,)"), BytesOf<float>({1, 2, 3}));
  ASSERT_THAT(ReadNpy(file), IsOk());
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_THAT(ErrorOf(file.substr(0, size)), IsStatus(StatusCode::kDataLoss, "npy")) << size;
  }
}

TEST(NpyTest, NeverBelievesADeclaredSize) {
  EXPECT_THAT(ErrorOf(File(Dict("'<f4'", "(1000000000000,)"), "abcd")),
              IsStatus(StatusCode::kDataLoss, "4000000000000"));
  std::string long_header = File(Dict("'<f4'", "(1,)"), "abcd", 2);
  long_header[11] = '\x7f';
  EXPECT_THAT(ErrorOf(long_header), IsStatus(StatusCode::kDataLoss, "header"));
}

TEST(NpyTest, RandomDamageNeverCrashes) {
  const std::string file = File(Dict("'<f4'", "(2, 3)", "True"), std::string(24, 'x'), 2);
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = file;
    for (auto changes = random() % 3 + 1; changes > 0; --changes) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    const Result<NpyArray> array = ReadNpy(damaged);
    EXPECT_LE(array ? array->data.size() : 0, file.size());
  }
}

class WriteNpyTest : public ::testing::Test {
 protected:
  Status Write(FileSystem& fs, const std::string& path) {
    return WriteNpy(fs, path, View(values_.data(), shape_));
  }

  MemoryFileSystem memory_;
  std::vector<float> values_ = {1, 2, 3};
  std::vector<std::int64_t> shape_ = {3};
};

TEST_F(WriteNpyTest, FileReadsBackAndNothingElseIsLeft) {
  memory_.Put("tensor/other", "");
  ASSERT_THAT(Write(memory_, "tensor/a_1.npy"), IsOk());
  EXPECT_THAT(memory_.Files("tensor"), ElementsAre("tensor/a_1.npy", "tensor/other"));
  const Result<NpyArray> array = ReadNpyFile(memory_, "tensor/a_1.npy");
  ASSERT_THAT(array, IsOk());
  EXPECT_EQ(Elements<float>(*array), values_);
}

TEST_F(WriteNpyTest, FailureAtAnyCallLeavesTheOldFileWhole) {
  memory_.Put("a.npy", "old");
  FaultyFileSystem faulty(memory_);
  int failures = 0;
  for (std::size_t call = 1;; ++call) {
    faulty.FailCall(call, StatusCode::kResourceExhausted);
    const Status status = Write(faulty, "a.npy");
    if (status.ok()) break;
    ++failures;
    EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
    EXPECT_EQ(memory_.Get("a.npy"), "old");
    EXPECT_THAT(memory_.Files(), ElementsAre("a.npy"));
  }
  EXPECT_GE(failures, 4);  // Open, two writes, rename.
  EXPECT_NE(memory_.Get("a.npy"), "old");
}

// Killed between writing and renaming: the same path again uses the same temporary name.
TEST_F(WriteNpyTest, LeftOverOfAKillIsReplaced) {
  FaultyFileSystem faulty(memory_);
  faulty.FailEvery(testing::FileOperation::kRename, "", StatusCode::kIoError);
  faulty.FailEvery(testing::FileOperation::kRemove, "", StatusCode::kIoError);
  EXPECT_FALSE(Write(faulty, "a.npy").ok());
  const std::vector<std::string> left = memory_.Files();
  ASSERT_EQ(left.size(), 1U);
  for (const char* taken_for_event_file : {"tfevents", "summary.", "_MS", "_lineage"}) {
    EXPECT_EQ(left[0].find(taken_for_event_file), std::string::npos) << left[0];
  }
  ASSERT_THAT(Write(memory_, "a.npy"), IsOk());
  EXPECT_THAT(memory_.Files(), ElementsAre("a.npy"));
}

TEST_F(WriteNpyTest, ErrorNamesThePath) {
  EXPECT_THAT(Write(memory_, "missing/a.npy"), IsStatus(StatusCode::kNotFound, "missing"));
  memory_.Put("bad.npy", "no array");
  EXPECT_THAT(ReadNpyFile(memory_, "bad.npy").error(), IsStatus(StatusCode::kDataLoss, "bad.npy"));
}

}  // namespace
}  // namespace sightline
