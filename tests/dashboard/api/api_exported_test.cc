// Exported tensors over the interface, as a recorder wrote them.
#include <nlohmann/json.hpp>

#include "sightline/dashboard/api/api.h"
#include "sightline/recorder/tensor/npy.h"
#include "sightline/tests/dashboard/recorded_directory.h"

namespace sightline::dashboard {
namespace {

using nlohmann::json;
using sightline::testing::TempDir;
using sightline::testing::WriteFileOrDie;
using ::testing::ElementsAre;

class ApiExportedTest : public ::testing::Test {
 protected:
  ApiExportedTest() {
    RecorderOptions options;
    options.export_npy = true;
    auto recorder = Recorder::Open(dir_.File("a"), options);
    const std::vector<float> numbers = {0, 1, 2, 3, 4, 5};
    const std::vector<std::int64_t> shape = {2, 3};
    for (const std::int64_t step : {20, 3})
      (*recorder)->AddTensor("fc/weight", step, View(numbers.data(), shape));
    EXPECT_THAT((*recorder)->Close(), sightline::testing::IsOk());
    catalog_.Poll({});
    AddExportedApi(service_, catalog_, FileSystem::Local());
  }
  Response Ask(const std::string& target) const {
    Request request;
    request.target = *ParseTarget("/api/v1/" + target);
    request.host = "localhost";
    return service_.Handle(request);
  }

  TempDir dir_;
  Catalog catalog_{std::vector<std::string>{dir_.path()}};
  Service service_{ServiceOptions(), StaticFiles()};
};

TEST_F(ApiExportedTest, ListsTagsAndStepsAndGivesEach) {
  const json tensors = json::parse(Ask("exported?run=a").body)["tensors"];
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0]["tag"], "fc/weight");
  EXPECT_EQ(tensors[0]["steps"], json({3, 20}));
  const std::string where =
      "exported/value?run=a&folder=" + tensors[0]["folder"].get<std::string>() +
      "&file=fc%252Fweight_20.npy";
  const json stats = json::parse(Ask(where + "&detail=stats").body);
  EXPECT_EQ(stats["shape"], json({2, 3}));
  EXPECT_EQ(stats["max"], 5);
  EXPECT_EQ(stats["step"], 20);
  EXPECT_THAT(ReadNpy(Ask(where + "&detail=npy&slice=[:,0]").body)->shape, ElementsAre(2));
}

TEST_F(ApiExportedTest, AFileThatIsNoTensorOfNumbersIsNoFaultOfTheServer) {
  const std::string folder =
      json::parse(Ask("exported?run=a").body)["tensors"][0]["folder"].get<std::string>();
  WriteFileOrDie(dir_.File("a/" + folder + "/tensor/objects_1.npy"), "\x93NUMPY");
  EXPECT_EQ(Ask("exported/value?run=a&folder=" + folder + "&file=objects_1.npy").status, 422U);
}

TEST_F(ApiExportedTest, GivesNothingElse) {
  WriteFileOrDie(dir_.File("a/secret_1.npy"), "secret");
  const std::string folder =
      json::parse(Ask("exported?run=a").body)["tensors"][0]["folder"].get<std::string>();
  for (const std::string& of :
       {"folder=" + folder + "&file=../../secret_1.npy", "folder=" + folder + "&file=none_1.npy",
        std::string("folder=export_1/..&file=secret_1.npy"),
        std::string("folder=.&file=secret_1.npy"), "folder=" + folder + "&file=fc", std::string()})
    EXPECT_EQ(Ask("exported/value?run=a&" + of).status, 404U) << of;
}

}  // namespace
}  // namespace sightline::dashboard
