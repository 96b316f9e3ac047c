#include "sightline/landscape/checkpoints/checkpoint.h"

#include <sys/stat.h>

#include <filesystem>

#include "sightline/landscape/directions/parameter_set.h"
#include "sightline/recorder/tensor/npy.h"
#include "sightline/tests/landscape/checkpoint_bytes.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::landscape {
namespace {

using sightline::testing::Bytes;
using sightline::testing::IsOk;
using sightline::testing::IsStatus;
using sightline::testing::MindSporeTensor;
using sightline::testing::MindSporeValue;
using sightline::testing::Safetensors;
using sightline::testing::Zip;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Result<Checkpoint> ParseAs(const std::string& name, const std::string& bytes) {
  const auto kept = std::make_shared<const std::string>(bytes);
  return Checkpoint::Parse(name, *kept, kept);
}

Result<Checkpoint> Parse(const std::string& bytes) { return ParseAs("net.ckpt", bytes); }

// What Read gives of a checkpoint whose tensors are all chosen.
std::vector<double> ValuesOf(const Result<Checkpoint>& checkpoint) {
  EXPECT_THAT(checkpoint, IsOk());
  if (!checkpoint) return {};
  const auto set = ParameterSet::Make({*checkpoint}, {.pattern = ".*"});
  EXPECT_THAT(set, IsOk());
  if (!set) return {};
  std::vector<double> values(set->size());
  set->Read(0, 0, std::span<double>(values));
  return values;
}

std::string ProblemOf(const std::string& bytes) {
  const auto checkpoint = Parse(bytes);
  return checkpoint ? "none" : checkpoint.error().ToString();
}

std::string Npy(const std::vector<float>& values, const std::vector<std::int64_t>& shape) {
  return *EncodeNpy(View(values.data(), shape));
}

TEST(MindSporeCheckpoint, HoldsTheTensorsOfTheCorpus) {
  const auto checkpoint = Checkpoint::Open(
      sightline::testing::CorpusPath("mindspore/lenet_landscape/ckpt_dir/LeNet5_1_epoch.ckpt"));
  ASSERT_THAT(checkpoint, IsOk());
  ASSERT_FALSE(checkpoint->tensors().empty());
  EXPECT_EQ(checkpoint->tensors()[0].name, "conv1.weight");
  EXPECT_THAT(checkpoint->tensors()[0].shape, ElementsAre(6, 1, 5, 5));
  EXPECT_EQ(checkpoint->tensors()[0].dtype, DType::kFloat32);
}

TEST(MindSporeCheckpoint, PutsASplitTensorTogether) {
  const auto checkpoint =
      Parse(MindSporeTensor("w.weight", {5}, {1, 2}) + MindSporeTensor("w.weight", {5}, {3, 4, 5}) +
            MindSporeTensor("b.bias", {1}, {6}));
  ASSERT_THAT(checkpoint, IsOk());
  ASSERT_THAT(checkpoint->tensors(), SizeIs(2));
  EXPECT_THAT(checkpoint->tensors()[0].pieces, SizeIs(2));
  EXPECT_THAT(ValuesOf(checkpoint), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(MindSporeCheckpoint, ReadsAcrossPiecesAndParameters) {
  const auto checkpoint =
      Parse(MindSporeTensor("w.weight", {5}, {1, 2}) + MindSporeTensor("w.weight", {5}, {3, 4, 5}) +
            MindSporeTensor("b.bias", {2}, {6, 7}));
  ASSERT_THAT(checkpoint, IsOk());
  const auto set = ParameterSet::Make({*checkpoint}, {});
  ASSERT_THAT(set, IsOk());
  std::vector<double> values(5);
  set->Read(0, 1, std::span<double>(values));
  EXPECT_THAT(values, ElementsAre(2, 3, 4, 5, 6));
}

TEST(MindSporeCheckpoint, TakesTheChecksumBehindItForNoTensor) {
  EXPECT_THAT(ValuesOf(Parse(MindSporeTensor("w", {1}, {7}) + "crc_num" + std::string(10, '\1'))),
              ElementsAre(7));
}

TEST(MindSporeCheckpoint, ReadsASingleNumber) {
  const auto checkpoint = Parse(MindSporeTensor("w", {0}, {7}));
  ASSERT_THAT(checkpoint, IsOk());
  EXPECT_THAT(checkpoint->tensors()[0].shape, IsEmpty());
  EXPECT_THAT(ValuesOf(checkpoint), ElementsAre(7));
}

TEST(MindSporeCheckpoint, ReadsEveryFloatingType) {
  const std::vector<std::uint16_t> half = {0x3c00, 0xc000};    // 1, -2.
  const std::vector<std::uint16_t> bfloat = {0x3f80, 0xc000};  // 1, -2.
  EXPECT_THAT(ValuesOf(Parse(MindSporeValue("a", {2}, "Float16", Bytes(half)) +
                             MindSporeValue("b", {2}, "BFloat16", Bytes(bfloat)) +
                             MindSporeValue("c", {1}, "Float64", Bytes<double>({0.1})) +
                             MindSporeValue("d", {1}, "Int32", Bytes<std::int32_t>({9})))),
              ElementsAre(1, -2, 1, -2, 0.1));
}

TEST(MindSporeCheckpoint, NamesWhatDoesNotFit) {
  EXPECT_THAT(ProblemOf(MindSporeTensor("w", {3}, {1, 2})),
              HasSubstr("net.ckpt: tensor 'w' of shape [3], float32, needs 12 bytes and has 8"));
  EXPECT_THAT(ProblemOf(MindSporeTensor("w", {-1}, {1})), HasSubstr("'w'"));
  EXPECT_THAT(ProblemOf(MindSporeTensor("w", {1}, {1}) + MindSporeTensor("v", {1}, {1}) +
                        MindSporeTensor("w", {1}, {1})),
              HasSubstr("'w' occurs twice"));
  EXPECT_THAT(ProblemOf(""), HasSubstr("empty"));
  EXPECT_THAT(ProblemOf("hello"), HasSubstr("not a MindSpore checkpoint, .npz or safetensors"));
}

TEST(MindSporeCheckpoint, EveryCutIsDamageOrWholeTensors) {
  const std::string whole = MindSporeTensor("a", {2}, {1, 2}) + MindSporeTensor("b", {1}, {3});
  const std::size_t first = MindSporeTensor("a", {2}, {1, 2}).size();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(Parse(whole.substr(0, size)).has_value(), size == first) << size;
}

TEST(Npz, HoldsArrays) {
  for (const bool zip64 : {false, true}) {
    const auto checkpoint = Parse(
        Zip({{"fc.weight.npy", Npy({1, 2, 3, 4, 5, 6}, {2, 3})}, {"fc.bias.npy", Npy({7}, {1})}}, 0,
            zip64));
    ASSERT_THAT(checkpoint, IsOk());
    EXPECT_EQ(checkpoint->tensors()[0].name, "fc.weight");
    EXPECT_THAT(checkpoint->tensors()[0].shape, ElementsAre(2, 3));
    EXPECT_THAT(ValuesOf(checkpoint), ElementsAre(1, 2, 3, 4, 5, 6, 7));
  }
}

TEST(Npz, NamesWhatCannotBeRead) {
  EXPECT_THAT(ProblemOf(Zip({{"w.npy", Npy({1}, {1})}}, 8)), HasSubstr("'w.npy' is compressed"));
  std::string fortran = Npy({1, 2, 3, 4}, {2, 2});
  fortran.replace(fortran.find("False"), 5, "True ");
  const auto checkpoint = Parse(Zip({{"w.npy", fortran}}));
  ASSERT_THAT(checkpoint, IsOk());
  const auto set = ParameterSet::Make({*checkpoint}, {.pattern = "w"});
  ASSERT_FALSE(set.has_value());
  EXPECT_THAT(set.error().ToString(), HasSubstr("parameter 'w' cannot be read: it is in Fortran"));
}

TEST(Npz, EveryCutIsDamage) {
  const std::string whole = Zip({{"w.npy", Npy({1, 2}, {2})}});
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(Parse(whole.substr(0, size)).has_value()) << size;
}

TEST(Safetensors, HoldsTensors) {
  const auto checkpoint = Parse(Safetensors(
      R"({"__metadata__":{"format":"pt"},"a.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[2,10]},)"
      R"("b":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}})",
      Bytes<std::uint16_t>({0x3f80}) + Bytes<float>({2, 3})));
  ASSERT_THAT(checkpoint, IsOk());
  EXPECT_THAT(checkpoint->tensors()[0].shape, ElementsAre(1, 2));
  EXPECT_THAT(ValuesOf(checkpoint), ElementsAre(2, 3, 1));
}

TEST(Safetensors, RefusesForgedHeaders) {
  const auto problem = [](const char* header) {
    return ProblemOf(Safetensors(header, "12345678"));
  };
  EXPECT_THAT(problem(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})"),
              HasSubstr("ends after the end of the file"));
  EXPECT_THAT(problem(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})"),
              HasSubstr("ends after the end of the file"));
  EXPECT_THAT(
      problem(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,8]}})"),
      HasSubstr("'a'"));
  EXPECT_THAT(problem(R"({"a":{"shape":[2],"data_offsets":[0,8]}})"), HasSubstr("lacks dtype"));
  EXPECT_THAT(problem(R"({"a":[[[[[[1]]]]]]})"), HasSubstr("a list in the wrong place"));
  EXPECT_THAT(problem(R"({"a":{"b":{"c":1}}})"), HasSubstr("too deep"));
  EXPECT_THAT(problem(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})"),
              HasSubstr("negative"));
  EXPECT_THAT(problem(R"({"a":)"), HasSubstr("is not JSON"));
}

TEST(Safetensors, RefusesTensorsThatShareBytes) {
  std::string header = "{";
  for (int i = 0; i < 100; ++i) {
    header += (i == 0 ? "\"" : ",\"") + std::to_string(i) +
              R"(":{"dtype":"F32","shape":[1000],"data_offsets":[0,4000]})";
  }
  EXPECT_THAT(ProblemOf(Safetensors(header + "}", std::string(4000, '\0'))), HasSubstr("overlap"));
}

TEST(Checkpoint, OpensWhatCannotBeMapped) {
  sightline::testing::MemoryFileSystem files;
  files.Put("net.ckpt", MindSporeTensor("w", {2}, {1, 2}));
  EXPECT_THAT(ValuesOf(Checkpoint::Open("net.ckpt", &files)), ElementsAre(1, 2));
}

TEST(Checkpoint, SaysThatItsFileBecameShorter) {
  const sightline::testing::TempDir dir;
  const std::string path = dir.File("net.ckpt");
  const std::vector<float> values(100'000, 1);
  sightline::testing::WriteFileOrDie(
      path, MindSporeTensor("w", {static_cast<std::int64_t>(values.size())}, values));
  const auto checkpoint = Checkpoint::Open(path);
  const auto other = Checkpoint::Open(path);
  EXPECT_EQ(ValuesOf(checkpoint).back(), 1);
  EXPECT_THAT(checkpoint->CheckFile(), IsOk());
  std::filesystem::resize_file(path, 5000);
  const std::vector<double> left = ValuesOf(checkpoint);
  EXPECT_EQ(left.front(), 1);
  EXPECT_EQ(left.back(), 0);
  EXPECT_THAT(checkpoint->CheckFile(),
              sightline::testing::IsStatus(StatusCode::kDataLoss, "became shorter"));
  EXPECT_THAT(other->CheckFile(), IsOk()) << "it was not read";
}

TEST(Checkpoint, WaitsForNoPipe) {
  const sightline::testing::TempDir dir;
  ASSERT_EQ(mkfifo(dir.File("net.ckpt").c_str(), 0600), 0);
  EXPECT_THAT(Checkpoint::Open(dir.File("net.ckpt")).error(),
              sightline::testing::IsStatus(StatusCode::kInvalidArgument, "not a regular file"));
}

TEST(ParameterSet, ChoosesAsMindSporeDoes) {
  const auto checkpoint =
      Parse(MindSporeTensor("a.weight", {1, 1}, {1}) + MindSporeTensor("a.bias", {1}, {2}) +
            MindSporeTensor("moments.a.weight", {1}, {3}) + MindSporeTensor("bn.gamma", {1}, {4}) +
            MindSporeValue("weight_count", {1}, "Int32", Bytes<std::int32_t>({5})));
  ASSERT_THAT(checkpoint, IsOk());
  const auto names = [&checkpoint](const ParameterChoice& choice) {
    std::vector<std::string> all;
    const auto set = ParameterSet::Make({*checkpoint}, choice);
    if (set)
      for (const ParameterSlot& slot : set->slots()) all.push_back(slot.name);
    return all;
  };
  EXPECT_THAT(names({}), ElementsAre("a.weight", "a.bias"));
  EXPECT_THAT(names({.ignore_biases_and_norms = true}), ElementsAre("a.weight"));
  EXPECT_THAT(names({.pattern = "^bn"}), ElementsAre("bn.gamma"));
  EXPECT_THAT(names({.pattern = "("}), IsEmpty());
  EXPECT_THAT(names({.pattern = "none"}), IsEmpty());
}

TEST(ParameterSet, SaysWhichNameIsTooCostlyToMatch) {
  const std::string name(40, 'x');
  const auto checkpoint = Parse(MindSporeTensor(name, {1}, {1}));
  ASSERT_THAT(checkpoint, IsOk());
  const auto set = ParameterSet::Make({*checkpoint}, {.pattern = "(x*)*[yz]"});
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error(),
              IsStatus(StatusCode::kResourceExhausted,
                       "parameters is '(x*)*[yz]', which is too costly to match with '" + name));
}

TEST(ParameterSet, NamesFileAndParameterThatDoNotFit) {
  const std::string bytes = MindSporeTensor("w", {2}, {1, 2});
  const auto with = [](const std::string& other, const std::string& newest) {
    const auto set =
        ParameterSet::Make({*ParseAs("first", other), *ParseAs("last", newest)}, {.pattern = "w"});
    return set ? "none" : set.error().ToString();
  };
  EXPECT_THAT(with(MindSporeTensor("v", {2}, {1, 2}), bytes),
              HasSubstr("first has no parameter 'w', which last has"));
  EXPECT_THAT(
      with(MindSporeTensor("w", {1, 2}, {1, 2}), bytes),
      HasSubstr("first: parameter 'w' is float32 of shape [1, 2], but of shape [2] in last"));
}

}  // namespace
}  // namespace sightline::landscape
