// What an anonymous export no longer tells, and what stays.
#include "sightline/profiler/export/anonymous.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "sightline/profiler/export/trace_export.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr TimeRange kAll = {-kMaxTime, kMaxTime};

std::string Exported(const std::string& events) {
  return ExportChrome(Anonymize(testing::ImportEvents(events)), kAll);
}

// The name that a span of this name has afterwards.
std::string NameOf(const std::string& name) {
  const Model model = Anonymize(testing::ImportEvents(R"({"ph":"X","name":")" + name +
                                                      R"(","pid":1,"tid":1,"ts":1,"dur":1})"));
  return std::string(model.names[model.spans.name.at(0)]);
}

constexpr char kTold[] =
    R"({"ph":"M","name":"process_name","pid":3,"args":{"name":"/home/alice/venv/bin/python"}},)"
    R"({"ph":"M","name":"process_labels","pid":3,"args":{"labels":"gpu-node-17"}},)"
    R"({"ph":"M","name":"thread_name","pid":3,"tid":7,"args":{"name":"loader of alice"}},)"
    R"({"ph":"X","name":"/home/alice/secret/train.py(12): main","pid":3,"tid":7,"ts":1,"dur":9,)"
    R"("args":{"hostname":"gpu-node-17","user":"bobby","cwd":"project x","Call stack":)"
    R"("model.py(3): forward;\n/home/alice/secret/train.py(12): main"}},)"
    R"({"ph":"X","name":"aten::mm","cat":"cpu_op","pid":3,"tid":7,"ts":2,"dur":3,"args":)"
    R"({"Input Dims":[[4,8],[8,2]],"Input type":["float","float"],"Sequence number":12,)"
    R"("peer":{"at":"10.1.2.3:29500"},"note":"for bobby"}},)"
    R"({"ph":"i","name":"connected to 10.1.2.3:29500","pid":3,"tid":7,"ts":3},)"
    R"({"ph":"C","name":"memory of gpu-node-17/bytes","pid":3,"ts":5,"args":{"v":1}})";

TEST(AnonymousExport, TellsNoPathHostAddressOrUser) {
  for (const std::string& trace :
       {Exported(kTold), ExportPerfetto(Anonymize(testing::ImportEvents(kTold)), kAll)}) {
    for (const char* told : {"alice", "bobby", "home", "secret", "train", "model.py", "gpu-node",
                             "10.1.2.3", "29500", "project", "venv"})
      EXPECT_THAT(trace, Not(HasSubstr(told)));
  }
}

TEST(AnonymousExport, RemovesWhatTheSourceSaysOfItself) {
  Profile profile = testing::ImportEvents(kTold);
  profile.model.attributes = {{"arguments", "--data /home/alice/secret"}};
  EXPECT_TRUE(Anonymize(std::move(profile)).attributes.empty());
}

TEST(AnonymousExport, KeepsOperatorsFunctionsAndNumbers) {
  const std::string trace = Exported(kTold);
  EXPECT_THAT(trace, HasSubstr(R"("name":"aten::mm")"));
  EXPECT_THAT(trace, HasSubstr(R"("Input Dims":[[4,8],[8,2]],"Input type":["float","float"])"));
  EXPECT_THAT(trace, HasSubstr(R"("Sequence number":12)"));
  EXPECT_THAT(trace, HasSubstr("(12): main"));
  EXPECT_THAT(trace, HasSubstr("(3): forward"));
}

TEST(AnonymousExport, TheSameTextHasTheSameReplacement) {
  const std::string trace = Exported(kTold);
  EXPECT_THAT(trace, HasSubstr(R"("name":"file2.py(12): main")"));
  EXPECT_THAT(trace, HasSubstr(R"(;\nfile2.py(12): main")"));
  EXPECT_THAT(trace, HasSubstr(R"("labels":"host1")"));
  EXPECT_THAT(trace, HasSubstr(R"("hostname":"host1")"));
}

TEST(AnonymousExport, FindsEachFormOfAPlace) {
  EXPECT_EQ(NameOf("open C:\\\\Users\\\\bob\\\\a.txt"), "open file1.txt");
  EXPECT_EQ(NameOf("load ../data/x"), "load path1");
  EXPECT_EQ(NameOf("load ~/data"), "load path1");
  EXPECT_EQ(NameOf("read /srv/My Data/set one/part"), "read path1");
  EXPECT_EQ(NameOf("torch/nn/modules/module.py(1511): _call_impl"), "file1.py(1511): _call_impl");
  EXPECT_EQ(NameOf("libhccl.so.1"), "file1.so");
  EXPECT_EQ(NameOf("tcp://node:29500/a"), "address1");
  EXPECT_EQ(NameOf("send 192.168.1.7"), "send address1");
  EXPECT_EQ(NameOf("send fe80::1a2b"), "send address1");
  EXPECT_EQ(NameOf("card 00:1a:2b:3c:4d:5e"), "card address1");
  EXPECT_EQ(NameOf("by alice@example.com"), "by user1");
  EXPECT_EQ(NameOf("on node-17.cluster.example.com"), "on host1");
}

TEST(AnonymousExport, ALongTextTakesLinearTime) {
  std::string name;
  for (int i = 0; i < 200'000; ++i) name += "10.0.0.1 ";
  EXPECT_EQ(NameOf(name).substr(0, 18), "address1 address1 ");
}

TEST(AnonymousExport, NamesOfOperatorsAreNoPlaces) {
  for (const char* name :
       {"Default/network-Net/Conv2D-op1", "Gradients/Default/fc1/MatMul", "aten::mm", "c10::d::add",
        "hcom_allReduce__0@group_name_0", "transformer.h.0.attn", "nn.Module: Linear_0",
        "torch.nn.functional.linear", "ProfilerStep#12", "a / b", "Memory/Bytes",
        "void k<float, 4>(int*)"})
    EXPECT_EQ(NameOf(name), name);
}

}  // namespace
}  // namespace sightline::profiler
