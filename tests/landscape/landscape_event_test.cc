// The recorded event by MindSpore's own schema: the descriptors of its wheel.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/unknown_field_set.h>
#include <google/protobuf/util/json_util.h>

#include <nlohmann/json.hpp>

#include "sightline/landscape/generate.h"
#include "sightline/tests/landscape/small_training.h"
#include "sightline/tests/recorder/encoder_fixture.h"

namespace sightline::landscape {
namespace {

using google::protobuf::DynamicMessageFactory;
using google::protobuf::Message;
using sightline::testing::CorpusPath;
using sightline::testing::IsOk;
using sightline::testing::Quadratic;
using sightline::testing::ReadFileOrDie;
using sightline::testing::RecordsIn;
using sightline::testing::SmallTraining;
using ::testing::SizeIs;

class MindSporeSchema {
 public:
  MindSporeSchema() {
    google::protobuf::FileDescriptorSet files;
    EXPECT_TRUE(files.ParseFromString(ReadFileOrDie(CorpusPath("mindspore/descriptors.pb"))));
    for (const auto& file : files.file()) pool_.BuildFile(file);
  }

  // The first landscape of a file's second record.
  std::unique_ptr<Message> LandscapeOf(const std::string& file) {
    const auto* type = pool_.FindMessageTypeByName("mindspore.irpb.Event");
    std::unique_ptr<Message> event(factory_.GetPrototype(type)->New());
    EXPECT_TRUE(event->ParseFromString(RecordsIn(ReadFileOrDie(file)).at(1)));
    const Message& summary = Child(*event, "summary");
    const Message& value = summary.GetReflection()->GetRepeatedMessage(
        summary, summary.GetDescriptor()->FindFieldByName("value"), 0);
    const Message& landscape = Child(value, "loss_landscape");
    std::unique_ptr<Message> copy(landscape.New());
    copy->CopyFrom(landscape);
    return copy;
  }

 private:
  static const Message& Child(const Message& parent, const char* field) {
    return parent.GetReflection()->GetMessage(parent,
                                              parent.GetDescriptor()->FindFieldByName(field));
  }

  google::protobuf::DescriptorPool pool_;
  DynamicMessageFactory factory_{&pool_};
};

// What MindInsight's page of landscapes reads is there, and what it does not know is field 1000.
TEST(LandscapeEvent, HasEveryFieldThatMindInsightShows) {
  const SmallTraining training;
  GenerateOptions options;
  options.result = false;
  options.plane.line_size = 5;
  const LossFunction loss = [](const PointParameters& point) -> Result<std::vector<double>> {
    return std::vector<double>{Quadratic(point.values), point.x};
  };
  ASSERT_THAT(GenerateLandscapes(training.Metadata(), loss, options), IsOk());
  const auto names = FileSystem::Local().List(training.path());
  ASSERT_THAT(names, IsOk());
  std::string file;
  for (const std::string& name : *names)
    if (name.ends_with("_MS")) file = training.path() + "/" + name;

  MindSporeSchema schema;
  const auto landscape = schema.LandscapeOf(file);
  std::string text;
  google::protobuf::util::JsonPrintOptions print;
  print.preserve_proto_field_names = true;
  ASSERT_TRUE(google::protobuf::util::MessageToJsonString(*landscape, &text, print).ok());
  const auto json = nlohmann::json::parse(text);
  for (const char* axis : {"x", "y"}) {
    EXPECT_THAT(json["landscape"][axis]["float_data"], SizeIs(5));
    EXPECT_THAT(json["loss_path"]["points"][axis]["float_data"], SizeIs(3));
  }
  EXPECT_THAT(json["landscape"]["z"]["float_data"], SizeIs(25));
  EXPECT_EQ(json["landscape"]["z"]["dims"], nlohmann::json({"5", "5"}));
  EXPECT_THAT(json["loss_path"]["points"]["z"]["float_data"], SizeIs(3));
  EXPECT_EQ(json["loss_path"]["intervals"], nlohmann::json({1, 2, 3}));
  for (const char* axis : {"x", "y", "z"})
    EXPECT_THAT(json["convergence_point"][axis]["float_data"], SizeIs(1));
  EXPECT_EQ(json["metadata"]["decomposition"], "PCA");
  EXPECT_EQ(json["metadata"]["unit"], "epoch");
  EXPECT_EQ(json["metadata"]["step_per_epoch"], 7);
  const auto& unknown = landscape->GetReflection()->GetUnknownFields(*landscape);
  ASSERT_EQ(unknown.field_count(), 1);
  EXPECT_EQ(unknown.field(0).number(), 1000);
}

}  // namespace
}  // namespace sightline::landscape
