// Our schemas against the descriptors that MindSpore 2.7.0 and tensorboard 2.21 carry in their
// wheels: every message of ours must have the same fields, so that what either side writes the
// other reads.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/mindspore_lineage.pb.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/proto/tensorboard_graph.pb.h"
#include "sightline/proto/tensorboard_hparams.pb.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::DescriptorProto;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumDescriptorProto;
using google::protobuf::FieldDescriptor;
using google::protobuf::FieldDescriptorProto;
using google::protobuf::FileDescriptor;
using google::protobuf::FileDescriptorProto;
using google::protobuf::FileDescriptorSet;

// The fields that only we, or only later versions of the peers, have.
bool IsAddition(const FieldDescriptor& field) {
  return field.name() == "session" ||
         field.full_name() == "sightline.mindspore.LossLandscape.details" ||
         field.full_name() == "sightline.mindspore.NamedValueProto.full_name";
}

class SchemaTest : public ::testing::Test {
 protected:
  // Compares each message of `file` that ours has too; returns how many there were.
  int Compare(const std::string& descriptors, const std::string& their_package,
              const std::string& package) {
    FileDescriptorSet theirs;
    EXPECT_TRUE(theirs.ParseFromString(testing::ReadFileOrDie(testing::CorpusPath(descriptors))));
    int compared = 0;
    for (const FileDescriptorProto& file : theirs.file()) {
      if (file.package() != their_package) continue;
      for (const DescriptorProto& message : file.message_type())
        compared += CompareMessage(message, package);
      for (const EnumDescriptorProto& type : file.enum_type()) CompareEnum(type, package);
    }
    return compared;
  }

 private:
  int CompareMessage(const DescriptorProto& theirs, const std::string& scope) {
    const std::string name = scope + "." + theirs.name();
    const Descriptor* ours = DescriptorPool::generated_pool()->FindMessageTypeByName(name);
    if (ours == nullptr) return 0;
    int additions = 0;
    for (int i = 0; i < ours->field_count(); ++i) additions += IsAddition(*ours->field(i)) ? 1 : 0;
    EXPECT_LE(ours->field_count() - additions, theirs.field_size()) << name;
    for (const FieldDescriptorProto& field : theirs.field()) {
      // The debug information of a GraphDef is the one field that we leave out.
      if (field.name() == "debug_info") continue;
      const FieldDescriptor* our_field = ours->FindFieldByNumber(field.number());
      if (our_field == nullptr) {
        ADD_FAILURE() << name << " lacks " << field.name();
        continue;
      }
      EXPECT_EQ(our_field->name(), field.name()) << name;
      EXPECT_EQ(int{our_field->type()}, int{field.type()}) << our_field->full_name();
      EXPECT_EQ(our_field->is_repeated(), field.label() == FieldDescriptorProto::LABEL_REPEATED)
          << our_field->full_name();
      EXPECT_EQ(our_field->is_required(), field.label() == FieldDescriptorProto::LABEL_REQUIRED)
          << our_field->full_name();
      // Python's proto3 descriptors leave the implied option out.
      if (our_field->file()->syntax() == FileDescriptor::SYNTAX_PROTO2 ||
          field.options().has_packed()) {
        EXPECT_EQ(our_field->is_packed(), field.options().packed()) << our_field->full_name();
      }
      EXPECT_EQ(our_field->real_containing_oneof() != nullptr, field.has_oneof_index())
          << our_field->full_name();
    }
    int compared = 1;
    for (const DescriptorProto& nested : theirs.nested_type())
      compared += CompareMessage(nested, name);
    return compared;
  }

  void CompareEnum(const EnumDescriptorProto& theirs, const std::string& scope) {
    const EnumDescriptor* ours =
        DescriptorPool::generated_pool()->FindEnumTypeByName(scope + "." + theirs.name());
    if (ours == nullptr) return;
    EXPECT_EQ(ours->value_count(), theirs.value_size()) << theirs.name();
    for (const auto& value : theirs.value()) {
      const auto* our_value = ours->FindValueByNumber(value.number());
      EXPECT_TRUE(our_value != nullptr && our_value->name() == value.name())
          << theirs.name() << "." << value.name();
    }
  }
};

TEST_F(SchemaTest, MindSporesEventsAndLineageAreDeclaredAsMindSporeDeclaresThem) {
  mindspore::Event::descriptor();
  mindspore::LineageEvent::descriptor();
  EXPECT_EQ(Compare("mindspore/descriptors.pb", "mindspore.irpb", "sightline.mindspore"), 56);
}

TEST_F(SchemaTest, TensorBoardsEventsAndGraphsAreDeclaredAsTensorBoardDeclaresThem) {
  tensorboard::Event::descriptor();
  tensorboard::GraphDef::descriptor();
  EXPECT_EQ(Compare("tensorboard/descriptors.pb", "tensorboard", "sightline.tensorboard"), 43);
}

TEST_F(SchemaTest, HyperparametersAreDeclaredAsTensorBoardDeclaresThem) {
  tensorboard::hparams::HParamsPluginData::descriptor();
  EXPECT_EQ(
      Compare("tensorboard/descriptors.pb", "tensorboard.hparams", "sightline.tensorboard.hparams"),
      9);
}

TEST_F(SchemaTest, NothingIsRegisteredUnderAPeersName) {
  for (const char* name : {"mindspore.irpb.Event", "tensorboard.Event", "tensorflow.Event"}) {
    EXPECT_EQ(DescriptorPool::generated_pool()->FindMessageTypeByName(name), nullptr) << name;
  }
  EXPECT_EQ(mindspore::Event::descriptor()->file()->name(),
            "sightline/proto/mindspore_event.proto");
  EXPECT_EQ(tensorboard::Event::descriptor()->file()->name(), "sightline/proto/tensorboard.proto");
}

}  // namespace
}  // namespace sightline
