// MLflow's folders of files: a real one, and made ones that are foreign, damaged or forged.
#include "sightline/import/mlflow/mlflow_folder.h"

#include <filesystem>

#include "sightline/import/mlflow/import_mlflow.h"
#include "sightline/tests/import/mlflow/imported_folder.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class MlflowFolder : public testing::ImportedFolder {
 protected:
  std::string Store() const { return dir_.File("mlruns"); }
  void Put(const std::string& name, const std::string& bytes) const {
    const fs::path path = Store() + "/" + name;
    fs::create_directories(path.parent_path());
    testing::WriteFileOrDie(path, bytes);
  }
  void PutOneRun() const {
    Put("1/meta.yaml", "experiment_id: '1'\nname: e\nlifecycle_stage: active\n");
    Put("1/r1/meta.yaml", "run_id: r1\nrun_name: run\nstatus: 3\nlifecycle_stage: active\n");
    Put("1/r1/metrics/loss", "1000 0.5 1\n");
  }
  ImportReport Import() const {
    auto report = ImportMlflow(Store(), Out());
    EXPECT_THAT(report, IsOk());
    return report ? *std::move(report) : ImportReport();
  }
};

TEST_F(MlflowFolder, EveryPointIsTheOneThatWasLogged) {
  const auto report = ImportMlflow(testing::CorpusPath("mlflow/mlruns"), Out());
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(report->runs, 4U);
  EXPECT_EQ(report->points, 92U);
  ExpectTheLoggedPoints();
}

TEST_F(MlflowFolder, ParametersTagsAndFactsAreLineage) {
  const auto report = ImportMlflow(testing::CorpusPath("mlflow/mlruns"), Out());
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(report->parameters, 11U);
  EXPECT_EQ(report->tags, 13U);
  EXPECT_THAT(report->left_out, UnorderedElementsAre(Pair("deleted run", 1U),
                                                     Pair("run of a deleted experiment", 1U)));
  const auto run = Open("digits/first run");
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(run->lineage().at("lr"), LineageValue(0.1));
  EXPECT_EQ(run->lineage().at("optimizer/name"), LineageValue("adam"));
  EXPECT_EQ(run->lineage().at("code"), LineageValue("007"));
  EXPECT_EQ(run->lineage().at("tags.team"), LineageValue("vision"));
  EXPECT_EQ(run->lineage().at("run.git.branch"), LineageValue("main"));
  EXPECT_EQ(run->lineage().at("run.user"), LineageValue("user1"));
  EXPECT_EQ(run->lineage().at("run.outcome"), LineageValue("finished"));
  EXPECT_EQ(run->first_wall_time(), 1'790'000'000.0);
  EXPECT_EQ(Open("digits/a_b ü")->lineage().at("run.outcome"), LineageValue("killed"));
}

TEST_F(MlflowFolder, OfTwoRunsOfANameTheFirstHasNoNumber) {
  PutOneRun();
  Put("1/r1/meta.yaml", "run_id: r1\nrun_name: run\nstart_time: 2000\n");
  Put("1/r2/meta.yaml", "run_id: r2\nrun_name: run\nstart_time: 1000\n");
  EXPECT_EQ(Import().runs, 2U);
  EXPECT_EQ(Open("e/run")->lineage().at("run.id"), LineageValue("r2"));
  EXPECT_EQ(Open("e/run-2")->lineage().at("run.id"), LineageValue("r1"));
}

TEST_F(MlflowFolder, LinesOfAnotherFormAreCounted) {
  PutOneRun();
  Put("1/r1/metrics/a/b", "1 1 1\nnothing\n" + std::string(200'000, '1') + "\n2 2 2\n3 3");
  const ImportReport report = Import();
  EXPECT_EQ(report.points, 3U);
  EXPECT_THAT(report.unread, UnorderedElementsAre(Pair("metric line of another form", 2U),
                                                  Pair("metric line without an end", 1U)));
  EXPECT_EQ(Open("e/run")->Find(ContentKind::kScalar, "a/b")->size(), 2U);
}

TEST_F(MlflowFolder, ALineMayCrossThePiecesThatAreRead) {
  PutOneRun();
  std::string lines;
  for (int i = 0; i < 20'000; ++i)
    lines += std::to_string(1000 + i) + " 0.5 " + std::to_string(i) + "\n";
  Put("1/r1/metrics/long", lines);
  EXPECT_EQ(Import().points, 20'001U);
}

TEST_F(MlflowFolder, ArtifactsAndOthersAreCounted) {
  PutOneRun();
  Put("1/r1/artifacts/model/a.bin", "x");
  Put("1/r1/artifacts/b.txt", "x");
  Put("1/r1/inputs/1/meta.yaml", "x");
  Put("1/traces/1/spans.json", "x");
  EXPECT_THAT(Import().unread, UnorderedElementsAre(Pair("artifact", 2U), Pair("input", 1U),
                                                    Pair("file beside the runs", 1U)));
}

TEST_F(MlflowFolder, ARunWithADamagedMetaIsLeftOutWithANote) {
  PutOneRun();
  Put("1/r2/meta.yaml", "a: [");
  const ImportReport report = Import();
  EXPECT_EQ(report.runs, 1U);
  EXPECT_THAT(report.left_out, ElementsAre(Pair("run with a damaged meta.yaml", 1U)));
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("1/r2/meta.yaml")));
}

TEST_F(MlflowFolder, LinksToFoldersAreNotFollowed) {
  PutOneRun();
  fs::create_directory_symlink(Store(), Store() + "/1/r1/metrics/loop");
  fs::create_directory_symlink(Store() + "/1", Store() + "/2");
  const ImportReport report = Import();
  EXPECT_EQ(report.runs, 1U);
  EXPECT_EQ(report.points, 1U);
  EXPECT_THAT(report.unread, IsEmpty());
}

TEST_F(MlflowFolder, AnotherFolderIsRefused) {
  fs::create_directory(Store());
  EXPECT_THAT(std::string(ImportMlflow(Store(), Out()).error().message()),
              HasSubstr(Store() + ": not a folder of MLflow's"));
  testing::WriteFileOrDie(Store() + "/mlflow.db", "");
  EXPECT_THAT(std::string(ImportMlflow(Store(), Out()).error().message()),
              HasSubstr("its database is " + Store() + "/mlflow.db"));
  EXPECT_EQ(ImportMlflow(dir_.File("none"), Out()).error().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace sightline
